import { noVerdict } from '@assay/contract/no-verdict.ts';
import type { AssetVerdict } from '@assay/contract/schemas/verdict-members.ts';
import { passedJudgement } from '@assay/testing/samples/passed-judgement.ts';
import { describe, expect, test } from 'vitest';
import { submissionVerdict } from './judgement.ts';

const passed: AssetVerdict = {
  ...passedJudgement,
  severityCounts: { critical: 0, major: 0, minor: 1, info: 2 },
  statusCounts: { ...passedJudgement.statusCounts, open: 3 },
};
const failed: AssetVerdict = {
  ...passed,
  verdict: 'failed',
  statusCounts: { open: 1, acknowledged: 1, awaitingHumanInput: 0, resolved: 0, dismissed: 1 },
  blockingCount: 2,
  waivedCount: 1,
};
const notChecked: AssetVerdict = { ...noVerdict, verdict: 'not_checked' };

describe('the verdict on a submission', () => {
  test('is the worst of its assets, with the counts of those that are complete added up', () => {
    expect(submissionVerdict([passed, failed, notChecked])).toEqual({
      verdict: 'failed',
      severityCounts: { critical: 0, major: 0, minor: 2, info: 4 },
      statusCounts: { open: 4, acknowledged: 1, awaitingHumanInput: 0, resolved: 0, dismissed: 1 },
      blockingCount: 2,
      reviewCount: 0,
      waivedCount: 1,
    });
  });

  test.each([
    ['null without counts until each asset has one', [passed, noVerdict], noVerdict],
    ['without counts if no asset is complete', [notChecked, notChecked], notChecked],
    ['that of its only complete asset, or worse', [notChecked, passed], { ...passed, verdict: 'not_checked' }],
  ])('is %s', (_, assets, expected) => {
    expect(submissionVerdict(assets)).toEqual(expected);
  });

  test('takes no other member from an asset, such as its status', () => {
    const asset = { ...passed, status: 'complete', filename: 'a.txt' };
    expect(Object.keys(submissionVerdict([asset, notChecked])).sort()).toEqual(Object.keys(noVerdict).sort());
  });
});
