import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandOf, Commands } from '../commands.ts';
import { expectResults } from '../expect/expect-change.ts';
import { learnEnd } from '../expect/learn.ts';
import { observeIssues, observeResult, observeSubmission, observeVersion } from '../expect/observe.ts';
import {
  existingSubmissions,
  type Mode,
  type Model,
  mayHaveCompleted,
  type Status,
  type Submission,
  statusOf,
  statusOfAsset,
} from '../model.ts';
import { readPages, type Session, sendAndCheck } from '../session.ts';
import { type AssetTarget, isAwaited, selectAsset, selectSubmission } from '../targets.ts';

const settleMillisMax = 120_000;
const sweepAfterMillis = 10_000;
const pollMillis = 10;

export async function poll(
  { mode, submission: selector }: Commands['poll'],
  model: Model,
  session: Session,
): Promise<void> {
  const { submission, submissionId, label } = selectSubmission(model, session, selector);
  const allowed = [!submission || submission.isDeleted ? '404 submission_not_found' : '200'];
  const { response, outcome } = await sendAndCheck(session, 'poll', `${label} by ${mode}`, allowed, () =>
    session.idle[mode].get(`/submissions/${submissionId}`),
  );
  if (submission && outcome === '200') observeSubmission(model, session.workspaceId, submission, mode, response.body);
}

/** Waits until a submission is finished, which ends polling (§3). */
export async function settle(
  { mode, submission: selector }: Commands['poll'],
  model: Model,
  session: Session,
): Promise<void> {
  const { submission } = selectSubmission(model, session, selector);
  if (!submission || !isAwaited(submission)) return poll({ mode, submission: selector }, model, session);
  return awaitEnd(submission, mode, model, session);
}

export async function awaitEnd(submission: Submission, mode: Mode, model: Model, session: Session): Promise<void> {
  const { submissionId, assets, label } = submission;
  const begin = performance.now();
  for (let isSwept = false; ; await sleep(pollMillis)) {
    const { body } = await session.idle[mode].get(`/submissions/${submissionId}`);
    observeSubmission(model, session.workspaceId, submission, mode, body);
    if (!isAwaited(submission)) break;
    const millis = performance.now() - begin;
    assert.ok(millis < settleMillisMax, `${label} is not finished after ${settleMillisMax / 1000} s`);
    if (isSwept || millis < sweepAfterMillis) continue;
    isSwept = true;
    for (const { run } of assets.filter(({ state }) => state === 'running')) {
      await session.service.sweep(session.workspaceId, submissionId, run);
    }
  }
  const states = assets.map(({ state }) => state);
  session.transcript.push(`settle ${label} by ${mode} → ${states.join(', ')}`);
  for (const state of states) session.tally.count('settle', state, performance.now() - begin);
}

export async function versions(
  { mode, submission: selector }: Commands['poll'],
  model: Model,
  session: Session,
): Promise<void> {
  const { submission, submissionId, label } = selectSubmission(model, session, selector);
  const allowed = [!submission || submission.isDeleted ? '404 submission_not_found' : '200'];
  const { response, outcome } = await sendAndCheck(session, 'versions', `of ${label} by ${mode}`, allowed, () =>
    session.idle[mode].get(`/submissions/${submissionId}/versions`),
  );
  if (!submission || outcome !== '200') return;
  const groups = new Set(submission.assets.map(({ versionGroupId }) => versionGroupId));
  const expected = existingSubmissions(model)
    .flatMap((one) => one.assets.map((asset) => ({ of: one, asset, place: placeOf(asset) })))
    .filter(({ asset }) => groups.has(asset.versionGroupId));
  const bodies = new Map(
    response.body.versions.map((version: Parameters<typeof placeOf>[0]) => [placeOf(version), version]),
  );
  assert.deepEqual([...bodies.keys()].sort(), expected.map(({ place }) => place).sort(), 'the versions of its groups');
  assert.equal(response.body.versions.length, expected.length);
  for (const { of, asset, place } of expected) observeVersion(model, of, asset, bodies.get(place));
}

const placeOf = ({ versionGroupId, versionNumber }: { versionGroupId: string; versionNumber: number }) =>
  `${versionGroupId} ${versionNumber}`;

type ResultOp = 'asset' | 'issues' | 'topics';

export function results(
  { op, mode, asset: selector }: CommandOf<ResultOp>,
  model: Model,
  session: Session,
): Promise<void> {
  return readResults(op, mode, selectAsset(model, session, selector), model, session);
}

export async function readResults(
  op: ResultOp,
  mode: Mode,
  target: AssetTarget,
  model: Model,
  session: Session,
): Promise<void> {
  const path = `/submissions/${target.submissionId}/assets/${target.assetId}${op === 'asset' ? '' : `/${op}`}`;
  const { response, outcome } = await sendAndCheck(
    session,
    op,
    `${target.label} by ${mode}`,
    expectResults(target, op),
    () => session.idle[mode].get(path),
  );
  const { submission, asset } = target;
  if (!submission || submission.isDeleted || !asset || outcome === '404 asset_not_ready') return;
  if (op === 'asset') return countFound(session, observeResult(model, submission, asset, mode, response.body));
  if (asset.state === 'running')
    learnEnd(model, submission, asset, (end) => (end === 'complete') === (outcome === '200'));
  if (outcome !== '200') return;
  if (op === 'issues') {
    countFound(session, observeIssues(model, asset, response.body.issues));
    assert.equal(response.body.totalCount, response.body.issues.length);
  } else {
    const { topics, orphanIssues, metadata } = response.body;
    const issues = [...topics.flatMap((topic: { issues: object[] }) => topic.issues), ...orphanIssues];
    countFound(session, observeIssues(model, asset, issues));
    assert.equal(metadata.totalIssueCount, asset.ruleCodes?.length ?? 0);
  }
}

/** The status of an issue at its first read shows whether it inherited a decision. */
function countFound({ tally }: Session, issues: { status: string }[]): void {
  for (const { status } of issues) tally.count('found', status, 0);
}

/** Reads the whole list page by page. It must contain every submission once, newest first. */
export async function list({ mode, limit, status }: Commands['list'], model: Model, session: Session): Promise<void> {
  const query = `?limit=${limit}${status ? `&status=${status}` : ''}`;
  const bodies: { submissionId: string; status: Status }[] | undefined = await readPages(
    session,
    { op: 'list', what: `${query} by ${mode}`, allowed: ['200'] },
    { client: session.idle[mode], path: `/submissions${query}`, member: 'submissions', limit },
  );
  assert.ok(bodies);
  const listed = new Map(bodies.map((body) => [body.submissionId, body]));
  assert.equal(listed.size, bodies.length, 'a submission is listed twice');
  // A running submission may have any status when it is listed.
  const own = existingSubmissions(model).filter((one) => one.mode === mode);
  const expected = own.filter((one) => {
    const known = knownStatus(one);
    return known === undefined && status ? listed.has(one.submissionId) : !status || known === status;
  });
  const newestFirst = expected.map(({ submissionId }) => submissionId).reverse();
  assert.deepEqual([...listed.keys()], newestFirst, `the list of ${status ?? 'all'}`);
  for (const one of expected) observeSubmission(model, session.workspaceId, one, mode, listed.get(one.submissionId));
  if (status) for (const body of bodies) assert.equal(body.status, status);
}

function knownStatus({ assets }: Submission): Status | undefined {
  const statuses = assets.map(statusOfAsset).filter((status) => status !== undefined);
  return statuses.length === assets.length ? statusOf(statuses) : undefined;
}

/** Checks the used credits: one for each completed live asset, and none for anything else. */
export async function me({ mode }: Commands['me'], model: Model, session: Session): Promise<void> {
  const { response } = await sendAndCheck(session, 'me', `by ${mode}`, ['200'], () => session.idle[mode].get('/me'));
  const { workspaceId, mode: responseMode, credits } = response.body;
  assert.deepEqual({ workspaceId, mode: responseMode }, { workspaceId: session.workspaceId, mode });
  const least = model.credits.known;
  const most = least + model.credits.unknown + mayHaveCompleted(model);
  assert.ok(
    credits.used >= least && credits.used <= most,
    `credits are ${credits.used} instead of ${least} to ${most}`,
  );
}
