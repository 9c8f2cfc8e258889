import type { DeliverySpecLimits } from '@assay/contract/schemas/profiles/delivery-spec.ts';

type Complain = (isWrong: boolean, pointer: string, detail: string) => void;

/** What no schema can express about the expectations of a profile. */
export function complainAboutDeliverySpec(spec: DeliverySpecLimits, complain: Complain): void {
  for (const [member, value] of Object.entries(spec)) {
    if (typeof value !== 'object' || value === null) continue;
    const at = `/limits/deliverySpec/${member}`;
    if (Array.isArray(value)) {
      const texts = value.map((item) => JSON.stringify(item));
      complain(new Set(texts).size < texts.length, at, 'must not repeat a value.');
    } else if (!('seconds' in value)) {
      const { min = null, max = null } = value;
      complain(min === null && max === null, at, 'must have min or max.');
      complain(min !== null && max !== null && min > max, `${at}/min`, `must be at most max (${max}).`);
    }
  }
}
