import type { NotExamined } from '@assay/contract/schemas/coverage.ts';
import type { Standard } from '@assay/contract/schemas/issue.ts';
import type { Finding, LimitPath, Rule } from './sidekick.ts';

/** A rule without precedents. */
export type RuleRow = readonly [
  severity: Rule['severity'],
  headline: string,
  standard: Standard | null,
  grades?: NonNullable<Rule['grades']> | null,
  limits?: readonly LimitPath[],
];

export function withoutPrecedents<RuleCode extends string>(rows: Record<RuleCode, RuleRow>): Record<RuleCode, Rule> {
  const rules = Object.entries<RuleRow>(rows).map(([code, [severity, headline, standard, grades, limits]]) => {
    return [
      code,
      { severity, headline, standard, precedents: [], ...(grades && { grades }), ...(limits && { limits }) },
    ];
  });
  return Object.fromEntries(rules) as Record<RuleCode, Rule>;
}

/** The fields that a finding must set; the others have defaults. */
type FindingFields = Omit<Finding, 'ruleCode' | 'confidence' | 'isCertain' | 'locations'> &
  Partial<Pick<Finding, 'confidence' | 'locations'>>;

/** A finding that was measured or read, so it needs no review. Without locations it applies to the whole asset. */
export function certainFinding<RuleCode extends string>(ruleCode: RuleCode, fields: FindingFields): Finding<RuleCode> {
  return { ruleCode, confidence: 1, isCertain: true, locations: [], ...fields };
}

/** A finding that needs review, because it may be intended or legitimate. */
export function uncertainFinding<RuleCode extends string>(
  ruleCode: RuleCode,
  fields: FindingFields,
): Finding<RuleCode> {
  return { ruleCode, confidence: 0.5, isCertain: false, locations: [], ...fields };
}

/** A finding that says what the check did not examine, and what to do about it. It makes the check incomplete. */
export function notVerifiedFinding<RuleCode extends string>(
  ruleCode: RuleCode,
  notExamined: NotExamined,
  fields: FindingFields,
): Finding<RuleCode> {
  return uncertainFinding(ruleCode, { ...fields, notExamined });
}
