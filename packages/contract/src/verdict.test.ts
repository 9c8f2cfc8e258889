import { describe, expect, test } from 'vitest';
import { type Gate, type JudgedAsset, type JudgedCheck, type JudgedIssue, judge, worstVerdict } from './verdict.ts';

const gate: Gate = { failOn: 'MAJOR', allowIncomplete: [] };
const loudness: JudgedCheck = {
  shortName: 'loudness',
  outcome: 'ran',
  notVerifiedRuleCode: 'LOUD-NOT-MEASURED',
  omittedSeverityCounts: null,
};
const issue = (more: Partial<JudgedIssue> = {}): JudgedIssue => ({
  ruleCode: 'LOUD-TRUE-PEAK',
  severity: 'MAJOR',
  status: 'OPEN',
  isDecided: false,
  ...more,
});
const notMeasured = (more: Partial<JudgedIssue> = {}) =>
  issue({ ruleCode: 'LOUD-NOT-MEASURED', status: 'AWAITING_HUMAN_INPUT', ...more });
const asset = (issues: JudgedIssue[], check: Partial<JudgedCheck> = {}): JudgedAsset => ({
  status: 'complete',
  checks: [{ ...loudness, ...check }],
  issues,
});
const incomplete = (issues: JudgedIssue[]) => asset(issues, { outcome: 'incomplete' });

describe('the verdict on an asset', () => {
  test.each<[string, JudgedAsset, string]>([
    ['passed without issues', asset([]), 'passed'],
    ['passed with an open issue below the gate', asset([issue({ severity: 'MINOR' })]), 'passed'],
    ['failed with an open issue at the gate', asset([issue()]), 'failed'],
    ['failed with an acknowledged issue', asset([issue({ status: 'ACKNOWLEDGED', isDecided: true })]), 'failed'],
    ['failed with an issue that the service itself resolved', asset([issue({ status: 'RESOLVED' })]), 'failed'],
    [
      'needs_review with an issue that awaits review',
      asset([issue({ status: 'AWAITING_HUMAN_INPUT' })]),
      'needs_review',
    ],
    [
      'passed with an issue below the gate that awaits review',
      asset([issue({ severity: 'INFO', status: 'AWAITING_HUMAN_INPUT' })]),
      'passed',
    ],
    [
      'passed_with_waivers after a caller dismissed an issue at the gate',
      asset([issue({ status: 'DISMISSED', isDecided: true })]),
      'passed_with_waivers',
    ],
    [
      'passed_with_waivers after a caller resolved an issue at the gate',
      asset([issue({ status: 'RESOLVED', isDecided: true })]),
      'passed_with_waivers',
    ],
    [
      'passed after a caller dismissed an issue below the gate',
      asset([issue({ severity: 'MINOR', status: 'DISMISSED', isDecided: true })]),
      'passed',
    ],
    ['not_checked if the asset failed', { ...asset([]), status: 'failed' }, 'not_checked'],
    ['not_checked if no check applies', asset([], { outcome: 'not_applicable' }), 'not_checked'],
    ['not_checked if no check was selected', { ...asset([]), checks: [] }, 'not_checked'],
    ['needs_review if a check is incomplete', incomplete([notMeasured()]), 'needs_review'],
    ['needs_review if a check is incomplete and has no issue about it', incomplete([]), 'needs_review'],
    [
      'needs_review if the issue about an incomplete check is below the gate',
      incomplete([notMeasured({ severity: 'INFO' })]),
      'needs_review',
    ],
    [
      'needs_review as long as one of two issues about an incomplete check is not settled',
      incomplete([notMeasured({ status: 'DISMISSED', isDecided: true }), notMeasured()]),
      'needs_review',
    ],
    [
      'passed_with_waivers once the issue about an incomplete check is dismissed',
      incomplete([notMeasured({ severity: 'INFO', status: 'DISMISSED', isDecided: true })]),
      'passed_with_waivers',
    ],
    [
      'failed if a caller acknowledged the issue about an incomplete check',
      incomplete([notMeasured({ status: 'ACKNOWLEDGED', isDecided: true })]),
      'failed',
    ],
    ['failed rather than needs_review', incomplete([issue(), notMeasured()]), 'failed'],
    [
      'failed if an issue at the gate was left out because there were too many',
      asset([], { omittedSeverityCounts: { critical: 0, major: 1, minor: 0, info: 0 } }),
      'failed',
    ],
    [
      'passed if only issues below the gate were left out',
      asset([], { omittedSeverityCounts: { critical: 0, major: 0, minor: 7, info: 1 } }),
      'passed',
    ],
  ])('is %s', (expected, one, verdict) => {
    expect(expected).toMatch(new RegExp(`^${verdict}\\b`));
    expect(judge(one, gate).verdict).toBe(verdict);
  });

  test('is passed if the profile allows the check to be incomplete', () => {
    const allowing = { ...gate, allowIncomplete: ['loudness'] };
    expect(judge(incomplete([notMeasured()]), allowing)).toEqual({
      verdict: 'passed',
      blockingCount: 0,
      reviewCount: 0,
      waivedCount: 0,
    });
    expect(judge(incomplete([notMeasured({ status: 'OPEN', isDecided: true })]), allowing).verdict).toBe('failed');
  });

  test('counts blocking, review and waived issues apart', () => {
    const dismissed = issue({ status: 'DISMISSED', isDecided: true });
    const counted = incomplete([issue(), issue({ severity: 'CRITICAL' }), notMeasured(), dismissed]);
    expect(judge(counted, gate)).toEqual({ verdict: 'failed', blockingCount: 2, reviewCount: 1, waivedCount: 1 });
  });
});

describe('the verdict on several assets', () => {
  test('is the worst of them, and null as long as one has none', () => {
    expect(worstVerdict(['passed', 'needs_review', 'passed_with_waivers'])).toBe('needs_review');
    expect(worstVerdict(['not_checked', 'failed', 'passed'])).toBe('failed');
    expect(worstVerdict(['passed', null])).toBeNull();
    expect(worstVerdict([])).toBeNull();
  });
});
