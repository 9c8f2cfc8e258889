import assert from 'node:assert/strict';
import type { Message, Stream } from '@assay/testing/service/client.ts';
import { stages } from './expect/learn.ts';
import { summaryOf } from './expect/observe.ts';
import { type Asset, type Mode, type Status, type Submission, statusOfAsset } from './model.ts';

/** A client that follows the stream of a submission and records its messages. */
export type Follower = {
  submission: Submission;
  mode: Mode;
  /** Undefined once the stream has ended. */
  stream: Stream | undefined;
  /** The messages so far, each with the state of the submission that follows from it. */
  seen: Seen[];
};

// The client has already checked every message against the contract.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Body = any;

/** `isWhole`: the message is the last one of a change, so the submission is consistent. */
type Seen = { id: string; isWhole: boolean; view: Body };

/** Applies a message, which must contain something new, and only states that the submission really had. */
export function takeMessage({ submission, seen }: Follower, workspaceId: string, { id, event, data }: Message): void {
  const before = seen.at(-1)?.view;
  assert.ok(!seen.some((one) => one.id === id), `${id} was sent twice`);
  assert.equal(event === 'snapshot', before === undefined, `${event} after ${seen.length} messages`);
  if (event === 'asset.updated') {
    const { submissionId, ...shown } = data;
    assert.equal(submissionId, submission.submissionId);
    const i = submission.assets.findIndex(({ assetId }) => assetId === shown.assetId);
    checkShown(submission.assets[i], shown);
    const old = before.assets[i];
    const mayDiffer = isLater(old, shown) || isDecided(submission);
    assert.ok(mayDiffer, `${JSON.stringify(shown)} was sent after ${JSON.stringify(old)}`);
    seen.push({ id, isWhole: false, view: { ...before, assets: before.assets.with(i, shown) } });
    return;
  }
  const view = { ...data, assets: data.assets ?? before.assets };
  for (const [i, shown] of view.assets.entries()) checkShown(submission.assets[i], shown);
  const summary = summaryOf(submission, workspaceId, view.assets);
  for (const [name, value] of Object.entries(summary)) assert.deepEqual(view[name], value, `${name} in ${event}`);
  assert.equal(view.completedAt === null, stages[summary.status] < 2, 'completedAt is set exactly when it is finished');
  seen.push({ id, isWhole: true, view });
}

/** Checks an asset in a message, which may be older than the model and show an earlier attempt or an earlier state. */
function checkShown(asset: Asset | undefined, shown: Body): void {
  assert.ok(asset && shown.retryCount < asset.attempt, `${JSON.stringify(shown)} never existed`);
  const { assetId, versionGroupId, versionNumber, upload, state } = asset;
  assert.deepEqual(
    { ...shown, assetId, versionGroupId, versionNumber, filename: upload.filename },
    shown,
    'immutable members of an asset',
  );
  const isEarlier = shown.retryCount < asset.attempt - 1;
  const isOver = stages[shown.status as Status] === 2;
  // A retried asset had been cancelled.
  if (isEarlier && isOver) assert.equal(shown.errorType, 'cancelled');
  if (isEarlier) return;
  if (state === 'waiting') assert.equal(shown.status, 'submitted');
  if (state !== 'waiting' && state !== 'running' && isOver) {
    assert.equal(shown.errorType ?? 'complete', state, 'an asset ends once in an attempt');
  }
}

function isLater(before: Body, after: Body): boolean {
  const differences = [
    after.retryCount - before.retryCount,
    stages[after.status as Status] - stages[before.status as Status],
    after.progressPercent - before.progressPercent,
  ];
  return (differences.find((difference) => difference !== 0) ?? 0) > 0;
}

/** Whether a reviewer has decided on an issue: a decision is a change of the submission, even after its end. */
export function isDecided({ assets }: Submission): boolean {
  return assets.some(({ issues }) => [...issues.values()].some(({ statusChangedAt }) => statusChangedAt));
}

/** Whether the counts are those of the issues, as far as the model knows all of them. */
function hasCurrentCounts({ issues, ruleCodes, state }: Asset, { statusCounts }: Body): boolean {
  const known = [...issues.values()];
  if (state !== 'complete' || !statusCounts || known.length !== ruleCodes?.length) return true;
  return (
    known.filter(({ status }) => status === 'OPEN').length === statusCounts.open &&
    known.filter(({ status }) => status === 'ACKNOWLEDGED').length === statusCounts.acknowledged &&
    known.filter(({ status }) => status === 'AWAITING_HUMAN_INPUT').length === statusCounts.awaitingHumanInput &&
    known.filter(({ status }) => status === 'RESOLVED').length === statusCounts.resolved &&
    known.filter(({ status }) => status === 'DISMISSED').length === statusCounts.dismissed
  );
}

/** Whether a follower has seen the current state of the submission. */
export function isCurrent({ submission }: Follower, last: Seen | undefined): boolean {
  if (!last?.isWhole) return false;
  return submission.assets.every((asset, i) => {
    const shown = last.view.assets[i];
    if (shown.retryCount !== asset.attempt - 1) return false;
    if (asset.state !== 'running') return shown.status === statusOfAsset(asset) && hasCurrentCounts(asset, shown);
    return stages[shown.status as Status] >= asset.seen.stage && shown.progressPercent >= asset.seen.percent;
  });
}

/** Whether the stream ends after this message. */
export function isEnd(last: Seen | undefined): boolean {
  return last?.isWhole === true && stages[last.view.status as Status] === 2;
}
