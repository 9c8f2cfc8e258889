import { type Severity, severities } from '@assay/contract/schemas/severity.ts';
import type { Profile } from './profile.ts';
import type { Finding, Rule, Sidekick } from './sidekick.ts';

/** The severity of a finding under a profile; null if the profile has switched the rule off. */
export function severityOf(finding: Finding, rule: Rule, profile: Profile): Severity | null {
  const setting = settingOf(finding.ruleCode, profile);
  if (setting?.severity === 'OFF') return null;
  const grades = gradesFor(finding.ruleCode, rule, profile);
  const severity = grades ? gradeOf(finding, grades) : (setting?.severity ?? rule.severity);
  return finding.severityMax ? milderSeverity(severity, finding.severityMax) : severity;
}

/** The grades of a rule under a profile; null if its severity does not follow the distance from the limit. */
export function gradesFor(ruleCode: string, rule: Rule, profile: Profile): Rule['grades'] | null {
  const setting = settingOf(ruleCode, profile);
  return setting?.grades ?? (setting?.severity ? null : rule.grades);
}

function settingOf(ruleCode: string, { rules }: Profile) {
  return rules.find((setting) => setting.ruleCode === ruleCode);
}

/**
 * The severity of what a check did not examine: that of the profile, or else of the worst rule that it could have hidden,
 * at most MAJOR. It cannot be switched off; stored revisions that do are read as allowing the check to be incomplete.
 */
export function notVerifiedSeverity({ rules, notVerified }: Sidekick, profile: Profile): Severity {
  const setting = settingOf(notVerified, profile)?.severity;
  if (setting && setting !== 'OFF') return setting;
  const hidden = Object.entries(rules).flatMap(([code, rule]) => {
    if (code === notVerified || settingOf(code, profile)?.severity === 'OFF') return [];
    return gradesFor(code, rule, profile)?.at(-1)?.severity ?? settingOf(code, profile)?.severity ?? rule.severity;
  }) as Severity[];
  const worst = severities.find((severity) => hidden.includes(severity)) ?? 'INFO';
  return milderSeverity(worst, 'MAJOR');
}

/** Grades are in order of distance. Without a measurement, the most severe grade is assumed. */
function gradeOf({ measured, limit }: Finding, grades: NonNullable<Rule['grades']>): Severity {
  const distance = measured === undefined || limit === undefined ? Infinity : distanceBetween(measured, limit);
  const reached = grades.filter(({ beyond }) => distance >= beyond);
  return (reached.at(-1) ?? grades[0])?.severity as Severity;
}

/** Without the floating-point error of the difference, which would make a value at the edge of a grade the milder one. */
export function distanceBetween(measured: number, limit: number): number {
  return Number(Math.abs(measured - limit).toFixed(6));
}

function milderSeverity(a: Severity, b: Severity): Severity {
  return severities.indexOf(a) > severities.indexOf(b) ? a : b;
}
