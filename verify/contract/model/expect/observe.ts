import assert from 'node:assert/strict';
import { contentTypeOf } from '../files.ts';
import { matchesInitialState } from '../initial-states.ts';
import {
  type Asset,
  hasFailed,
  isRetryable,
  type Mode,
  type Model,
  type Status,
  type Submission,
  statusOf,
  statusOfAsset,
} from '../model.ts';
import { general } from './general-profile.ts';
import { learnSeen, stages } from './learn.ts';
import { assetVerdict, submissionVerdict } from './observe-verdicts.ts';

/** Checks what was read against the model, which also learns the progress of running assets. */

// The client has already checked every response against the contract.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Body = any;

/** `by` is the mode of the key with which the submission was read. */
export function observeSubmission(
  model: Model,
  workspaceId: string,
  submission: Submission,
  by: Mode,
  body: Body,
): void {
  for (const [i, asset] of submission.assets.entries()) observeAsset(model, submission, asset, by, body.assets[i]);
  const summary = summaryOf(submission, workspaceId, body.assets);
  const isOver = stages[summary.status] === 2;
  submission.createdAt ??= body.createdAt;
  if (isOver) submission.completedAt ??= body.completedAt;
  assert.deepEqual(body, {
    ...summary,
    workflowId: workflowIdOf(submission),
    createdAt: submission.createdAt,
    completedAt: isOver ? submission.completedAt : null,
    isRetryable: submission.assets.some((asset) => mayRetry(submission, asset, by)),
    assets: body.assets,
  });
  assert.equal(body.completedAt === null, !isOver, 'completedAt is set exactly when it is finished');
}

/** The members of a submission that follow from the states of its assets. */
export function summaryOf({ submissionId, mode, metadata }: Submission, workspaceId: string, assets: Body[]) {
  const sumOf = (member: string) => assets.reduce((sum, asset) => sum + asset[member], 0);
  const status = statusOf(assets.map((asset) => asset.status));
  const failedCount = assets.filter((asset) => asset.status === 'failed').length;
  return {
    submissionId,
    workflowId: workflowIdOf({ submissionId, run: 1 + sumOf('retryCount') }),
    workspaceId,
    mode,
    status,
    progressPercent: Math.floor(sumOf('progressPercent') / assets.length),
    errorMessage:
      status === 'failed'
        ? `${failedCount} of ${assets.length} ${assets.length === 1 ? 'asset' : 'assets'} failed`
        : null,
    isRetryable: assets.some((asset) => asset.isRetryable),
    // No sequence names a profile or changes the default.
    profile: general,
    metadata,
    ...submissionVerdict(assets),
  };
}

export const workflowIdOf = ({ submissionId, run }: Pick<Submission, 'submissionId' | 'run'>) =>
  `submission:${submissionId}:${run}`;

/** Checks an asset within its submission. */
function observeAsset(model: Model, submission: Submission, asset: Asset, by: Mode, body: Body): void {
  learnSeen(model, submission, asset, body);
  assert.deepEqual(body, {
    assetId: asset.assetId,
    versionGroupId: asset.versionGroupId,
    versionNumber: asset.versionNumber,
    ...expectedState(submission, asset, by, body),
  });
}

/** Checks an asset that was read by itself. */
export function observeResult(model: Model, submission: Submission, asset: Asset, by: Mode, body: Body): Body[] {
  learnSeen(model, submission, asset, body);
  const { submissionId } = submission;
  const { assetId, versionGroupId, versionNumber } = asset;
  const mimeType = contentTypeOf(asset.upload.filename);
  const state = expectedState(submission, asset, by, body);
  const expected = { assetId, submissionId, mimeType, versionGroupId, versionNumber, ...state };
  for (const [name, value] of Object.entries(expected)) assert.deepEqual(body[name], value, name);
  return observeIssues(model, asset, body.issues, asset.state === 'complete' ? (asset.ruleCodes ?? []) : []);
}

/**
 * Reference numbers count up per version group and are never used for a different rule. Known issues must be unchanged,
 * new ones must start as the model allows. Returns the new ones.
 */
export function observeIssues(model: Model, asset: Asset, issues: Body[], ruleCodes = asset.ruleCodes ?? []): Body[] {
  assert.deepEqual(
    issues.map(({ ruleCode }) => ruleCode).sort(),
    [...ruleCodes].sort(),
    'the rule codes of its issues',
  );
  const numbers = model.issueNumbers.get(asset.versionGroupId) ?? new Map<number, string>();
  model.issueNumbers.set(asset.versionGroupId, numbers);
  for (const { referenceNumber, ruleCode } of issues) {
    assert.equal(numbers.get(referenceNumber) ?? ruleCode, ruleCode, `reference number ${referenceNumber}`);
    numbers.set(referenceNumber, ruleCode);
  }
  assert.equal(new Set(issues.map(({ referenceNumber }) => referenceNumber)).size, issues.length);
  const isNew = issues.map(({ ruleCode }) => !asset.issues.has(ruleCode));
  for (const issue of issues) observeIssue(asset, issue);
  return issues.filter((_, i) => isNew[i]);
}

/** A compact issue has fewer members than a full one: each common member must be equal. */
function observeIssue(asset: Asset, body: Body): void {
  const { ruleCode } = body;
  const known = asset.issues.get(ruleCode) ?? {};
  for (const [name, value] of Object.entries(known)) {
    if (name in body) assert.deepEqual(body[name], value, `${name} of ${ruleCode}`);
  }
  asset.issues.set(ruleCode, { ...known, ...body });
  const initialStates = asset.initialStates.get(ruleCode);
  if (!initialStates) return; // a reviewer has decided on the issue
  const left = initialStates.filter((initialState) => matchesInitialState(initialState, body));
  assert.ok(
    left.length > 0,
    `${ruleCode} is ${body.status}, but must start as one of ${JSON.stringify(initialStates)}`,
  );
  asset.initialStates.set(ruleCode, left);
}

/** Checks an asset in the list of versions, which has fewer members. */
export function observeVersion(model: Model, submission: Submission, asset: Asset, body: Body): void {
  learnSeen(model, submission, asset, { status: body.status });
  assert.deepEqual(body, {
    versionGroupId: asset.versionGroupId,
    versionNumber: asset.versionNumber,
    submissionId: submission.submissionId,
    mode: submission.mode,
    assetId: asset.assetId,
    filename: asset.upload.filename,
    status: statusOfAsset(asset) ?? body.status,
    issueCount: asset.state === 'complete' ? (asset.ruleCodes?.length ?? null) : null,
    createdAt: submission.createdAt ?? body.createdAt,
    completedAt: body.completedAt,
    ...assetVerdict(submission, asset, body),
  });
  assert.equal(
    body.completedAt === null,
    stages[body.status as Status] < 2,
    'completedAt is set exactly when it is finished',
  );
}

/** A sandbox key cannot retry live assets. */
function mayRetry({ mode }: Submission, asset: Asset, by: Mode): boolean {
  return isRetryable(asset) && (mode === 'sandbox' || by === 'live');
}

function expectedState(submission: Submission, asset: Asset, by: Mode, body: Body) {
  assert.equal(body.errorMessage === null, !hasFailed(asset), 'errorMessage is set exactly if it failed');
  assert.equal(
    body.progressPercent === 100,
    asset.state === 'complete',
    'progressPercent is 100 exactly if it is complete',
  );
  return {
    filename: asset.upload.filename,
    status: statusOfAsset(asset) ?? body.status,
    progressPercent: asset.state === 'waiting' ? 0 : body.progressPercent,
    issueCount: asset.state === 'complete' ? (asset.ruleCodes?.length ?? null) : null,
    errorMessage: body.errorMessage,
    errorType: hasFailed(asset) ? asset.state : null,
    isRetryable: mayRetry(submission, asset, by),
    retryCount: asset.attempt - 1,
    ...assetVerdict(submission, asset, body),
  };
}
