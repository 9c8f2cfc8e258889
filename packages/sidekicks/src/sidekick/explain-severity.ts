import type { Severity } from '@assay/contract/schemas/severity.ts';
import type { Profile } from './profile.ts';
import { distanceBetween, gradesFor } from './severity.ts';
import type { Finding, Rule } from './sidekick.ts';

/** Maps the unit of a level to the unit of the difference between two such levels. */
const unitsOfDistance: Readonly<Record<string, string>> = { LUFS: 'LU', LKFS: 'LU', dBTP: 'dB', dBFS: 'dB' };

/**
 * Why a finding has this severity, if it follows from the distance to the limit: `MINOR up to 1 LU beyond the limit`.
 * `null` if all findings of the rule have the same severity, or if something else decides the severity of this one.
 */
export function explainSeverity(
  { ruleCode, unit = '', measured, limit }: Finding,
  rule: Rule,
  profile: Profile,
  severity: Severity,
): string | null {
  const grades = gradesFor(ruleCode, rule, profile) ?? [];
  const at = grades.findIndex((grade) => grade.severity === severity);
  if (grades.length < 2 || at < 0 || measured === undefined || limit === undefined) return null;
  const within = (beyond = 0) => `${beyond} ${unitsOfDistance[unit] ?? unit}`.trimEnd();
  const next = grades[at + 1];
  const distance = distanceBetween(measured, limit);
  if (distance < (grades[at]?.beyond ?? 0) || (next && distance >= next.beyond)) return null;
  return next
    ? `${severity} up to ${within(next.beyond)} beyond the limit`
    : `${severity} from ${within(grades[at]?.beyond)} beyond the limit`;
}
