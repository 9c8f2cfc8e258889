import { describe, expect, test } from 'vitest';
import { builtInProfile } from '#profiles/built-in-profiles.ts';
import { severityOf } from './severity.ts';
import type { Rule } from './sidekick.ts';

const rule: Rule = { headline: '', severity: 'MAJOR', standard: null, precedents: [] };
const graded: Rule = {
  ...rule,
  grades: [
    { beyond: 0, severity: 'MINOR' },
    { beyond: 2, severity: 'MAJOR' },
  ],
};
const finding = {
  ruleCode: 'A-B',
  subject: '',
  summary: '',
  severityReasoning: '',
  confidence: 1,
  isCertain: true,
  locations: [],
};
const profileWithRules = (...rules: { ruleCode: string; severity?: 'OFF' | 'INFO'; grades?: Rule['grades'] }[]) =>
  ({ ...builtInProfile('general'), rules }) as never;

describe('the severity of a finding', () => {
  test('is that of its rule unless the profile overrides it', () => {
    expect(severityOf(finding, rule, profileWithRules())).toBe('MAJOR');
    expect(severityOf(finding, rule, profileWithRules({ ruleCode: 'A-C', severity: 'INFO' }))).toBe('MAJOR');
    expect(severityOf(finding, graded, profileWithRules({ ruleCode: 'A-B', severity: 'INFO' }))).toBe('INFO');
  });

  test('is null if the profile has switched the rule off', () => {
    expect(severityOf(finding, rule, profileWithRules({ ruleCode: 'A-B', severity: 'OFF' }))).toBeNull();
  });

  test.each([
    [-23, -21.5, 'MINOR'],
    [-23, -21, 'MAJOR'],
    [-23, -25, 'MAJOR'],
    [-23, -23, 'MINOR'],
  ])('with a limit of %d and a measured value of %d is %s', (limit, measured, expected) => {
    expect(severityOf({ ...finding, limit, measured }, graded, profileWithRules())).toBe(expected);
  });

  test('is the most severe grade if there is no measurement', () => {
    expect(severityOf(finding, graded, profileWithRules())).toBe('MAJOR');
  });

  test('is never above the cap of the finding', () => {
    expect(severityOf({ ...finding, severityMax: 'INFO' }, rule, profileWithRules())).toBe('INFO');
    expect(severityOf({ ...finding, severityMax: 'CRITICAL' }, rule, profileWithRules())).toBe('MAJOR');
  });
});
