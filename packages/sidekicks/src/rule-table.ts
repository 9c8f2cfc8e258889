import type { Standard } from '@assay/contract/issue.ts';
import type { Finding, Rule } from './sidekick.ts';

/** A rule of a family in which no ruling is known. */
export type RuleRow = readonly [severity: Rule['severity'], headline: string, standard: Standard | null];

export function withoutPrecedents<RuleCode extends string>(rows: Record<RuleCode, RuleRow>): Record<RuleCode, Rule> {
  const rules = Object.entries<RuleRow>(rows).map(([code, [severity, headline, standard]]) => {
    return [code, { severity, headline, standard, precedents: [] }];
  });
  return Object.fromEntries(rules) as Record<RuleCode, Rule>;
}

/** What a finding has to say; the rest follows from it. */
type Said = Omit<Finding, 'ruleCode' | 'confidence' | 'isCertain' | 'locations'> &
  Partial<Pick<Finding, 'confidence' | 'locations'>>;

/** Seen or measured: it is so. It is about the whole asset unless a place is given. */
export function certain<RuleCode extends string>(ruleCode: RuleCode, said: Said): Finding<RuleCode> {
  return { ruleCode, confidence: 1, isCertain: true, locations: [], ...said };
}

/** It may be meant so, or have an honest reason: a person has to look. */
export function uncertain<RuleCode extends string>(ruleCode: RuleCode, said: Said): Finding<RuleCode> {
  return { ruleCode, confidence: 0.5, isCertain: false, locations: [], ...said };
}
