import type { Severity } from '@assay/contract/schemas/severity.ts';
import { expect, test } from 'vitest';
import { builtInProfile } from '#profiles/built-in-profiles.ts';
import { explainSeverity } from './explain-severity.ts';
import type { Profile } from './profile.ts';
import { severityOf } from './severity.ts';
import type { Finding, Rule } from './sidekick.ts';

const rule: Rule = {
  headline: '',
  severity: 'MAJOR',
  grades: [
    { beyond: 0, severity: 'MINOR' },
    { beyond: 1, severity: 'MAJOR' },
    { beyond: 6.5, severity: 'CRITICAL' },
  ],
  standard: null,
  precedents: [],
};
const { grades: _, ...ungraded } = rule;
const profile: Profile = { ...builtInProfile('general'), rules: [] };
const finding = (more: Partial<Finding> = {}): Finding => ({
  ...{ ruleCode: 'A-B', subject: '', summary: '', severityReasoning: '', confidence: 1, isCertain: true },
  ...{ locations: [], limit: -23, unit: 'LUFS', ...more },
});
const explain = (one: Finding, of: Rule = rule, by = profile) =>
  explainSeverity(one, of, by, severityOf(one, of, by) as Severity);

test.each([
  ['a level 0.5 LU above the limit', 'MINOR up to 1 LU beyond the limit', { measured: -22.5 }],
  ['a level 2 LU below the limit', 'MAJOR up to 6.5 LU beyond the limit', { measured: -25 }],
  ['a level 6.5 LU above the limit', 'CRITICAL from 6.5 LU beyond the limit', { measured: -16.5 }],
  ['a time 8 s above the limit', 'CRITICAL from 6.5 s beyond the limit', { measured: 30, limit: 22, unit: 's' }],
  ['a true peak 1 dB above the limit', 'MAJOR up to 6.5 dB beyond the limit', { measured: 3, limit: 2, unit: 'dBTP' }],
])('the severity explanation for %s is “%s”', (_, expected, more) => expect(explain(finding(more))).toBe(expected));

test('explainSeverity returns null without grades or a measurement, or if a cap or the profile sets the severity', () => {
  expect(explain(finding({ measured: -20 }), ungraded)).toBeNull();
  expect(explain(finding())).toBeNull();
  expect(explain(finding({ measured: -20, severityMax: 'MINOR' }))).toBeNull();
  const quiet = { ...profile, rules: [{ ruleCode: 'A-B', severity: 'INFO' as const }] };
  expect(explain(finding({ measured: -20 }), rule, quiet)).toBeNull();
});

test("explainSeverity names the profile's grade if it replaces the rule's grade", () => {
  const grades = [
    { beyond: 0, severity: 'INFO' as const },
    { beyond: 9, severity: 'MAJOR' as const },
  ];
  const lenient = { ...profile, rules: [{ ruleCode: 'A-B', grades }] };
  expect(explain(finding({ measured: -20 }), rule, lenient)).toBe('INFO up to 9 LU beyond the limit');
});
