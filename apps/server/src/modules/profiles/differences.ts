import { isDeepStrictEqual } from 'node:util';
import type { RuleSetting } from '@assay/contract/schemas/profiles/document.ts';
import type { Profile } from '@assay/sidekicks/sidekick/profile.ts';

type Difference = { pointer: string; left: unknown; right: unknown };

/** Every limit, rule and setting that differs between two profiles. Rules are named by their code, not by position. */
export function differencesOf(left: Profile, right: Profile): Difference[] {
  return compareValues(toComparable(left), toComparable(right), '');
}

function toComparable({ limits, rules, failOn, requireDismissalNote }: Profile) {
  return { limits, rules: Object.fromEntries(rules.map(toRuleEntry)), failOn, requireDismissalNote };
}

const toRuleEntry = ({ ruleCode, severity, grades }: RuleSetting) => [ruleCode, severity ?? grades ?? null] as const;

/** Objects are compared member by member, everything else as a whole. */
function compareValues(left: unknown, right: unknown, pointer: string): Difference[] {
  if (isDeepStrictEqual(left, right)) return [];
  if (!isObject(left) || !isObject(right)) return [{ pointer, left, right }];
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return names.flatMap((name) => compareValues(left[name] ?? null, right[name] ?? null, `${pointer}/${name}`));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
