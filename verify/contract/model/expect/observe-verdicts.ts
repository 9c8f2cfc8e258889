import assert from 'node:assert/strict';
import type { Event } from '@assay/contract/schemas/event.ts';
import { type Asset, hasFailed, isSettled, type Model, type Submission } from '../model.ts';
import { general } from './general-profile.ts';

// The client has already checked every response against the contract.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Body = any;

const fromWorst = ['failed', 'not_checked', 'needs_review', 'passed_with_waivers', 'passed'];
const numbers = ['blockingCount', 'reviewCount', 'waivedCount'];
const noCounts = {
  severityCounts: null,
  statusCounts: null,
  blockingCount: null,
  reviewCount: null,
  waivedCount: null,
};

const totalOf = (counts: Record<string, number>) => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** The verdict members of an asset. Those of a result are taken from the response, and must be consistent. */
export function assetVerdict({ mode }: Submission, asset: Asset, body: Body): object {
  if (mode === 'sandbox') return { verdict: null, ...noCounts };
  if (hasFailed(asset)) return { verdict: 'not_checked', ...noCounts };
  if (asset.state !== 'complete') return { verdict: null, ...noCounts };
  const { verdict, severityCounts, statusCounts, blockingCount, reviewCount, waivedCount, issueCount } = body;
  checkCounts({ verdict, blockingCount, reviewCount, waivedCount, issueCount });
  assert.equal(totalOf(severityCounts), issueCount, 'the sum of the severities');
  assert.equal(totalOf(statusCounts), issueCount, 'the sum of the statuses');
  return { verdict, severityCounts, statusCounts, blockingCount, reviewCount, waivedCount };
}

/** The counts decide the verdict, except that without any check there is none to pass. */
export function checkCounts({ verdict, blockingCount, reviewCount, waivedCount, issueCount }: Body): void {
  const usual = blockingCount
    ? 'failed'
    : reviewCount
      ? 'needs_review'
      : waivedCount
        ? 'passed_with_waivers'
        : 'passed';
  const possible = issueCount === 0 ? [usual, 'not_checked'] : [usual];
  assert.ok(
    possible.includes(verdict),
    `the verdict ${verdict}, with ${JSON.stringify({ blockingCount, reviewCount })}`,
  );
}

/** The worst verdict of the assets that were read, and their counts added up. */
export function submissionVerdict(assets: Body[]): object {
  const verdicts = assets.map(({ verdict }) => verdict);
  const verdict = verdicts.includes(null) ? null : fromWorst.find((one) => verdicts.includes(one));
  const counted = assets.filter(({ severityCounts }) => severityCounts !== null);
  if (verdict === null || counted.length === 0) return { verdict, ...noCounts };
  const sumOf = (read: (asset: Body) => number) => counted.reduce((sum, asset) => sum + read(asset), 0);
  const sums = (member: string) =>
    Object.fromEntries(Object.keys(counted[0][member]).map((name) => [name, sumOf((one) => one[member][name])]));
  return {
    verdict,
    severityCounts: sums('severityCounts'),
    statusCounts: sums('statusCounts'),
    ...Object.fromEntries(numbers.map((name) => [name, sumOf((one) => one[name])])),
  };
}

type VerdictEvent = Extract<Event, { type: 'submission.processing.finished' | 'asset.verdict.changed' }>;

/** Checks an event about a verdict. Their number is checked by `checkFinishedEvents`. */
export function observeVerdictEvent(model: Model, workspaceId: string, shown: VerdictEvent): void {
  assert.ok(!model.verdictEvents.some(({ id }) => id === shown.id), `event ${shown.id} is shown twice`);
  model.verdictEvents.push(shown);
  assert.ok(shown.livemode, 'an event about a verdict is never simulated');
  const { data } = shown;
  assert.equal(data.workspace_id, workspaceId);
  assert.deepEqual(data.profile, { name: general.name, revision: general.revision, fail_on: general.failOn });
  const submission = model.submissions.find(({ submissionId }) => submissionId === data.submission_id);
  assert.equal(submission?.mode, 'live', 'the submission of an event about a verdict');
  if (shown.type === 'submission.processing.finished') {
    assert.equal(shown.data.finished_at, shown.timestamp);
    assert.ok(fromWorst.includes(shown.data.verdict ?? ''), 'a finished submission has a verdict');
  } else {
    assert.notEqual(shown.data.verdict, shown.data.previous_verdict, 'the verdict has changed');
    assert.equal(shown.data.actor.kind, 'api_key');
    const asset = submission?.assets.find(({ assetId }) => assetId === shown.data.asset_id);
    assert.equal(asset?.versionNumber, shown.data.version_number);
  }
}

/** Every live submission that has ended has had an event, and no more than one for each time that it can have ended. */
export function checkFinishedEvents(model: Model): void {
  for (const submission of model.submissions) {
    const { submissionId, assets, mode, isDeleted } = submission;
    if (mode === 'sandbox' || isDeleted) continue;
    const count = model.verdictEvents.filter(
      ({ type, data }) => type === 'submission.processing.finished' && data.submission_id === submissionId,
    ).length;
    const most = 1 + assets.reduce((sum, { attempt }) => sum + attempt - 1, 0);
    assert.ok(count <= most, `${submission.label} has ${count} finished events, but can have ended ${most} times`);
    if (assets.every(isSettled)) assert.ok(count > 0, `${submission.label} ended without an event`);
  }
}
