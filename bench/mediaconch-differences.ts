import type { DeliverySpecLimits } from '@assay/contract/schemas/delivery-spec.ts';
import type { Recipe } from '../test/samples/delivery-spec/recipe.ts';

type Member = keyof DeliverySpecLimits;

const reasons: Partial<Record<Member, string>> = {};

/** Why MediaConch judges a property otherwise. Each was looked at by hand. */
export function differenceOf(member: Member, _recipe: Recipe): string {
  return reasons[member] ?? 'not explained yet.';
}
