import assert from 'node:assert/strict';
import { contentTypeOf } from './files.ts';
import { learnSeen, stages } from './learn.ts';
import {
  type Asset,
  hasFailed,
  isRetryable,
  type Model,
  type Status,
  type Submission,
  statusOf,
  statusOfAsset,
} from './model.ts';

/** What is read is held against the model; of assets that run by themselves, the model learns how far they are. */

// The client has held every answer against the contract's schemas already.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Body = any;

export function observeSubmission(model: Model, workspaceId: string, submission: Submission, body: Body): void {
  for (const [i, asset] of submission.assets.entries()) observeAsset(model, submission, asset, body.assets[i]);
  const statuses: Status[] = body.assets.map((asset: Body) => asset.status);
  const percents: number[] = body.assets.map((asset: Body) => asset.progressPercent);
  const status = statusOf(statuses);
  const isOver = status === 'complete' || status === 'failed';
  const failedCount = statuses.filter((one) => one === 'failed').length;
  submission.createdAt ??= body.createdAt;
  if (isOver) submission.completedAt ??= body.completedAt;
  assert.deepEqual(body, {
    submissionId: submission.submissionId,
    workflowId: workflowIdOf(submission),
    workspaceId,
    mode: submission.mode,
    status,
    progressPercent: Math.floor(percents.reduce((sum, percent) => sum + percent, 0) / percents.length),
    createdAt: submission.createdAt,
    completedAt: isOver ? submission.completedAt : null,
    errorMessage:
      status === 'failed'
        ? `${failedCount} of ${statuses.length} ${statuses.length === 1 ? 'asset' : 'assets'} failed`
        : null,
    isRetryable: submission.assets.some(isRetryable),
    metadata: submission.metadata,
    assets: body.assets,
  });
  assert.equal(body.completedAt === null, !isOver, 'completedAt is there once it is over');
}

export const workflowIdOf = ({ submissionId, run }: Submission) => `submission:${submissionId}:${run}`;

/** What is said of an asset in its submission. */
function observeAsset(model: Model, { mode }: Submission, asset: Asset, body: Body): void {
  learnSeen(model, mode, asset, body);
  assert.deepEqual(body, {
    assetId: asset.assetId,
    versionGroupId: asset.versionGroupId,
    versionNumber: asset.versionNumber,
    ...expectedState(asset, body),
  });
}

/** What is said of an asset by itself. */
export function observeResult(model: Model, { mode, submissionId }: Submission, asset: Asset, body: Body): void {
  learnSeen(model, mode, asset, body);
  const { assetId, versionGroupId, versionNumber } = asset;
  const mimeType = contentTypeOf(asset.upload.filename);
  const expected = { assetId, submissionId, mimeType, versionGroupId, versionNumber, ...expectedState(asset, body) };
  for (const [name, value] of Object.entries(expected)) assert.deepEqual(body[name], value, name);
  observeIssues(model, asset, body.issues, asset.state === 'complete' ? (asset.ruleCodes ?? []) : []);
}

/** Reference numbers count up per version group: one that stood for a rule stands for no other. */
export function observeIssues(model: Model, asset: Asset, issues: Body[], ruleCodes = asset.ruleCodes ?? []): void {
  assert.deepEqual(issues.map(({ ruleCode }) => ruleCode).sort(), [...ruleCodes].sort(), 'the rules of its issues');
  const numbers = model.issueNumbers.get(asset.versionGroupId) ?? new Map<number, string>();
  model.issueNumbers.set(asset.versionGroupId, numbers);
  for (const { referenceNumber, ruleCode } of issues) {
    assert.equal(numbers.get(referenceNumber) ?? ruleCode, ruleCode, `reference number ${referenceNumber}`);
    numbers.set(referenceNumber, ruleCode);
  }
  assert.equal(new Set(issues.map(({ referenceNumber }) => referenceNumber)).size, issues.length);
}

/** A version of the list knows less of an asset. */
export function observeVersion(model: Model, submission: Submission, asset: Asset, body: Body): void {
  learnSeen(model, submission.mode, asset, { status: body.status });
  assert.deepEqual(body, {
    versionGroupId: asset.versionGroupId,
    versionNumber: asset.versionNumber,
    submissionId: submission.submissionId,
    assetId: asset.assetId,
    filename: asset.upload.filename,
    status: statusOfAsset(asset) ?? body.status,
    issueCount: asset.state === 'complete' ? (asset.ruleCodes?.length ?? null) : null,
    createdAt: submission.createdAt ?? body.createdAt,
    completedAt: body.completedAt,
  });
  assert.equal(body.completedAt === null, stages[body.status as Status] < 2, 'completedAt is there once it is over');
}

function expectedState(asset: Asset, body: Body) {
  assert.equal(body.errorMessage === null, !hasFailed(asset), 'errorMessage is there where it failed');
  assert.equal(body.progressPercent === 100, asset.state === 'complete', 'progressPercent is 100 once it is complete');
  return {
    filename: asset.upload.filename,
    status: statusOfAsset(asset) ?? body.status,
    progressPercent: asset.state === 'waiting' ? 0 : body.progressPercent,
    issueCount: asset.state === 'complete' ? (asset.ruleCodes?.length ?? null) : null,
    errorMessage: body.errorMessage,
    errorType: hasFailed(asset) ? asset.state : null,
    isRetryable: isRetryable(asset),
    retryCount: asset.attempt - 1,
  };
}
