import { describe, expect, test } from 'vitest';
import { builtInProfile } from '#profiles/built-in-profiles.ts';
import { notVerifiedSeverity, severityOf } from './severity.ts';
import type { Rule, Sidekick } from './sidekick.ts';

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

describe('the severity of what was not examined', () => {
  const ofSeverity = (severity: Rule['severity']): Rule => ({ ...rule, severity });
  const rules = {
    'A-B': graded,
    'A-C': ofSeverity('MINOR'),
    'A-D': ofSeverity('INFO'),
    'A-NOT-VERIFIED': ofSeverity('MAJOR'),
  };
  const of = (
    profileRules: Parameters<typeof profileWithRules>,
    more: Record<string, Rule> = {},
    without: readonly string[] = [],
  ) => {
    const kept = Object.entries({ ...rules, ...more }).filter(([code]) => !without.includes(code));
    const sidekick = { rules: Object.fromEntries(kept), notVerified: 'A-NOT-VERIFIED' } as unknown as Sidekick;
    return notVerifiedSeverity(sidekick, profileWithRules(...profileRules));
  };

  test('is that of the worst rule that could be hidden, with its most severe grade', () => {
    expect(of([])).toBe('MAJOR');
    expect(of([], {}, ['A-B'])).toBe('MINOR');
    expect(of([], {}, ['A-B', 'A-C'])).toBe('INFO');
  });

  test('is at most MAJOR', () => {
    expect(of([], { 'A-E': ofSeverity('CRITICAL') })).toBe('MAJOR');
  });

  test('follows the severities and grades of the profile', () => {
    expect(of([{ ruleCode: 'A-B', severity: 'INFO' }])).toBe('MINOR');
    expect(of([{ ruleCode: 'A-B', grades: [{ beyond: 0, severity: 'INFO' }] }])).toBe('MINOR');
  });

  test('does not count rules that the profile has switched off, and is INFO if it has switched off all', () => {
    expect(of([{ ruleCode: 'A-B', severity: 'OFF' }])).toBe('MINOR');
    expect(of(['A-B', 'A-C', 'A-D'].map((ruleCode) => ({ ruleCode, severity: 'OFF' })))).toBe('INFO');
  });

  test('is that of the profile if it sets one, and cannot be switched off', () => {
    expect(of([{ ruleCode: 'A-NOT-VERIFIED', severity: 'INFO' }])).toBe('INFO');
    expect(of([{ ruleCode: 'A-NOT-VERIFIED', severity: 'OFF' }])).toBe('MAJOR');
  });
});
