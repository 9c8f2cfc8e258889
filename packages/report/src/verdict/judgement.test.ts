import type { AssetResult, Issue, Submission } from '@assay/sdk';
import { describe, expect, test } from 'vitest';
import { createSampleAsset, createSampleReport } from '../samples/sample-report.ts';
import { effectOf, gateOf, judgeAsset } from './judgement.ts';

const issue: Parameters<typeof createSampleAsset>[2][number] = {
  sidekick: 'flashes',
  ruleCode: 'PSE-LUMINANCE',
  severity: 'MAJOR',
  summary: 'Flashes.',
  severityReasoning: 'It was measured.',
  severityReasoningHeadline: 'It matters.',
};
const assetWith = (...samples: Partial<Issue>[]) =>
  createSampleAsset(
    1,
    { filename: 'a.mp4', mimeType: 'video/mp4', sizeBytes: 1 },
    samples.map((one) => ({ ...issue, ...one })),
  );
const submission = createSampleReport().submission as Submission;
const gate = gateOf(submission);
const notVerified = { ruleCode: 'PSE-NOT-VERIFIED', severity: 'INFO', status: 'AWAITING_HUMAN_INPUT' } as const;

/** The asset as a service of the previous version sends it. */
function fromEarlierService(asset: ReturnType<typeof assetWith>) {
  const { verdict, severityCounts, statusCounts, blockingCount, reviewCount, waivedCount, ...result } = asset.result;
  const checks = result.checks.map(
    ({ shortName, reason, coverage, notVerifiedRuleCode, omittedSeverityCounts, ...check }) => ({
      ...check,
      outcome: check.outcome === 'incomplete' ? 'ran' : check.outcome,
    }),
  );
  return { ...asset, result: { ...result, checks } as unknown as AssetResult };
}

describe('the verdict on an asset of a service of the previous version', () => {
  test.each<[string, Partial<Issue>[], string]>([
    ['passed without issues', [], 'passed'],
    ['failed with an issue at the gate', [{}], 'failed'],
    ['needs_review with an issue at the gate that awaits review', [{ status: 'AWAITING_HUMAN_INPUT' }], 'needs_review'],
    ['needs_review with an issue about what was not examined, although it is INFO', [notVerified], 'needs_review'],
    [
      'passed_with_waivers once a caller has dismissed that issue',
      [{ ...notVerified, status: 'DISMISSED', statusChangedAt: '2026-11-12T10:05:00.000Z' }],
      'passed_with_waivers',
    ],
  ])('is %s', (_, samples, verdict) => {
    const asset = fromEarlierService(assetWith(...samples));
    expect(judgeAsset(asset, gate).verdict).toBe(verdict);
  });

  test('needs no list of checks that may be incomplete', () => {
    const { allowIncomplete, ...profile } = submission.profile;
    const earlier = { profile } as unknown as Submission;
    expect(gateOf(earlier)).toEqual({ failOn: 'MAJOR', allowIncomplete: [], profile: 'ebu-r128' });
  });

  test('is null in a simulated run and before the end', () => {
    for (const change of [{ issueCount: null }, { status: 'processing' as const }]) {
      const asset = fromEarlierService(assetWith());
      Object.assign(asset.result, change);
      expect(judgeAsset(asset, gate)).toEqual({ verdict: null, blockingCount: 0, reviewCount: 0, waivedCount: 0 });
    }
  });
});

describe('the verdict by a gate that a caller gave', () => {
  test('replaces that of the service', () => {
    const asset = assetWith({ severity: 'MINOR' });
    Object.assign(asset.result, { verdict: 'passed' });
    expect(judgeAsset(asset, gate).verdict).toBe('passed');
    expect(judgeAsset(asset, gateOf(submission, 'MINOR'))).toMatchObject({ verdict: 'failed', blockingCount: 1 });
  });

  test('still allows the checks to be incomplete that the profile allows', () => {
    const profile = { ...submission.profile, allowIncomplete: ['photosensitivity'] };
    expect(judgeAsset(assetWith(notVerified), gateOf({ profile }, 'CRITICAL')).verdict).toBe('passed');
    expect(judgeAsset(assetWith(notVerified), gateOf(submission, 'CRITICAL')).verdict).toBe('needs_review');
  });
});

test.each<[string, Partial<Issue>, ReturnType<typeof effectOf>]>([
  ['an open issue at the gate blocks', {}, 'blocks'],
  ['an open issue below the gate has no effect', { severity: 'MINOR' }, null],
  ['an issue that awaits review needs review', { status: 'AWAITING_HUMAN_INPUT' }, 'review'],
  ['an issue about what was not examined needs review', notVerified, 'review'],
  ['a dismissed issue at the gate is waived', { status: 'DISMISSED' }, 'waived'],
  ['a dismissed issue about what was not examined is waived', { ...notVerified, status: 'DISMISSED' }, 'waived'],
])('%s, whatever else is in the asset', (_, sample, effect) => {
  const asset = assetWith(sample, notVerified, {});
  expect(effectOf(asset.issues[0] as Issue, asset.result.checks, gate)).toBe(effect);
});
