import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Commands } from '../commands.ts';
import { cancelSubmission, deleteSubmission, retryAsset } from '../expect/change.ts';
import { expectCancel, expectDelete, expectRetry } from '../expect/expect-change.ts';
import { learnAllEnded, learnEnd } from '../expect/learn.ts';
import { observeSubmission, workflowIdOf } from '../expect/observe.ts';
import {
  type AnsweredRequest,
  type Asset,
  isSettled,
  type Model,
  remember,
  rememberedUnder,
  type Status,
  type Submission,
  statusOf,
  statusOfAsset,
} from '../model.ts';
import { type Session, sendAndCheck } from '../session.ts';
import { selectAsset, selectSubmission } from '../targets.ts';
import { poll } from './perform-reads.ts';
import { subscriptionsPath } from './perform-subscriptions.ts';

export async function retry(command: Commands['retry'], model: Model, session: Session): Promise<void> {
  const { mode, key } = command;
  const target = selectAsset(model, session, command.asset);
  const { submission, asset } = target;
  const path = `/submissions/${target.submissionId}/assets/${target.assetId}/retry`;
  const isServed = command.isServed && model.servedLeft[submission?.mode ?? 'live'] > 0;
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  const { response, outcome } = await sendAndCheck(
    session,
    'retry',
    `${target.label} by ${isServed ? 'served' : 'idle'} ${mode}${key ? ` under ${key}` : ''}`,
    expectRetry(model, target, { mode, path, key }),
    () => (isServed ? session.served : session.idle)[mode].post(path, undefined, { headers }),
  );
  if (outcome === '202 replayed') assert.deepEqual(response.body, rememberedUnder(model, mode, 'retry', key)?.body);
  if (!submission || !asset) return;
  if (outcome === '202') {
    if (isServed) model.servedLeft[submission.mode]--;
    else session.waitingRuns.push(response.body.workflowId);
    retryAsset(model, submission, asset, isServed);
    checkRetried(submission, asset, response.body);
    if (key) remember(model, 'retry', { mode, path, key, json: undefined, status: 202, body: response.body });
  }
  if (asset.state !== 'running' || (mode === 'sandbox' && submission.mode === 'live')) return;
  // An error may show that the asset has ended.
  const isComplete = outcome === '409 asset_not_failed' && asset.attempt > 1;
  const hasFailed = outcome === '409 asset_not_retryable';
  if (isComplete || hasFailed) learnEnd(model, submission, asset, (end) => (end === 'complete') === isComplete);
}

/** §4.8: the response has the same shape as that of the creation, with all assets in order. */
function checkRetried(submission: Submission, asset: Asset, body: { status: Status }): void {
  const { submissionId, assets } = submission;
  const others = assets.filter((other) => other !== asset);
  const statuses = others.map((other) => statusOfAsset(other)).filter((status) => status !== undefined);
  // The other running assets may or may not have started.
  const status =
    statuses.length < others.length && body.status === 'processing'
      ? 'processing'
      : statusOf(['submitted', ...statuses]);
  assert.deepEqual(body, {
    submissionId,
    workflowId: workflowIdOf(submission),
    realtimeChannel: `submission.${submissionId}`,
    status,
    assets: assets.map(({ assetId, versionGroupId, versionNumber, continues }) => ({
      assetId,
      versionGroupId,
      versionNumber,
      ...continues,
    })),
  });
}

export async function cancel(command: Commands['cancel'], model: Model, session: Session): Promise<void> {
  const { mode } = command;
  const { submission, submissionId, label } = selectSubmission(model, session, command.submission);
  const { response, outcome } = await sendAndCheck(
    session,
    'cancel',
    `${label} by ${mode}`,
    expectCancel({ submission }, mode),
    () => session.idle[mode].post(`/submissions/${submissionId}/cancel`),
  );
  if (!submission) return;
  if (outcome === '409 submission_settled') learnAllEnded(model, submission);
  if (outcome !== '202') return;
  const open = submission.assets.filter((asset) => !isSettled(asset));
  cancelSubmission(model, submission);
  observeSubmission(model, session.workspaceId, submission, mode, response.body);
  assert.ok(submission.assets.every(isSettled), 'a cancelled submission is finished');
  assert.ok(
    open.some(({ state }) => state === 'cancelled'),
    'something was cancelled',
  );
}

export async function remove(command: Commands['delete'], model: Model, session: Session): Promise<void> {
  const { mode } = command;
  const { submission, submissionId, label } = selectSubmission(model, session, command.submission);
  const { outcome } = await sendAndCheck(
    session,
    'delete',
    `${label} by ${mode}`,
    expectDelete({ submission }, mode),
    () => session.idle[mode].delete(`/submissions/${submissionId}`),
  );
  if (submission && outcome === '204') deleteSubmission(model, submission);
}

/** Repeats an answered request with its `Idempotency-Key`, unchanged or changed. If there is none, polls. */
export async function replay({ pick, isChanged }: Commands['replay'], model: Model, session: Session): Promise<void> {
  const all = [...model.remembered.values()];
  const known = all[pick % Math.max(1, all.length)];
  if (!known) return poll({ mode: 'live', submission: { kind: 'any', pick } }, model, session);
  const { mode, key, status, body } = known;
  const allowed = [isChanged ? '422 idempotency_key_reused' : `${status} replayed`];
  const request = isChanged ? changedRequest(known) : known;
  const what = `the request of ${key}, answered with ${status}${isChanged ? ', changed' : ''}, by ${mode}`;
  const { response } = await sendAndCheck(session, 'replay', what, allowed, () =>
    session.idle[mode].post(request.path, request.json, { headers: { 'idempotency-key': key } }),
  );
  if (!isChanged) assert.deepEqual(response.body, body);
}

function changedRequest({ path, json }: Pick<AnsweredRequest, 'path' | 'json'>) {
  if (!json) return { path: path.replace(/[^/]+(?=\/retry$)/, randomUUID()), json };
  const change = path === subscriptionsPath ? { description: 'changed' } : { metadata: { note: 'changed' } };
  return { path, json: { ...json, ...change } };
}
