import assert from 'node:assert/strict';
import {
  type Asset,
  type AssetEnding,
  isSettled,
  type Model,
  type Stage,
  type Status,
  type Submission,
} from '../model.ts';
import { expectEnd } from './expect-events.ts';

/** Running assets end by themselves; the model learns this from any response that shows it. */

export const stages: Record<Status, Stage> = { submitted: 0, processing: 1, complete: 2, failed: 2 };

type Seen = { status: Status; progressPercent?: number; errorType?: string | null };

export function learnSeen(
  model: Model,
  submission: Submission,
  asset: Asset,
  { status, progressPercent, errorType }: Seen,
): void {
  if (asset.state !== 'running') return;
  const stage = stages[status];
  assert.ok(stage >= asset.seen.stage, `its stage went back from ${asset.seen.stage} to ${status}`);
  asset.seen.stage = stage;
  if (progressPercent !== undefined) {
    assert.ok(progressPercent >= asset.seen.percent, `progressPercent decreased to ${progressPercent}`);
    asset.seen.percent = progressPercent;
  }
  if (stage < 2) return;
  learnEnd(model, submission, asset, (end) =>
    errorType ? end === errorType : (end === 'complete') === (status === 'complete'),
  );
}

/** Records that the asset has ended with one of the possible outcomes that match the response. */
export function learnEnd(
  model: Model,
  submission: Submission,
  asset: Asset,
  hasEndedAs: (end: AssetEnding) => boolean,
): void {
  const left = [...asset.mayEndAs].filter(hasEndedAs);
  assert.ok(left.length > 0, `it ended otherwise than ${[...asset.mayEndAs].join(' or ')}`);
  asset.mayEndAs = new Set(left);
  asset.seen.stage = 2;
  asset.endedBy ??= model.step;
  if (left.length > 1) return;
  asset.state = left[0] as AssetEnding;
  if (asset.state === 'complete' && submission.mode === 'live') model.credits.known++;
  expectEnd(model, submission, asset, asset.state);
}

/** Records that all assets of the submission have ended. */
export function learnAllEnded(model: Model, submission: Submission): void {
  for (const asset of submission.assets) if (!isSettled(asset)) learnEnd(model, submission, asset, () => true);
}
