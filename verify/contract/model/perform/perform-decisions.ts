import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Issue } from '@assay/contract/schemas/issue.ts';
import type { Commands, IssueSelector, SubmitFields } from '../commands.ts';
import { expectDecision } from '../expect/expect-change.ts';
import { type Asset, existingSubmissions, type Mode, type Model } from '../model.ts';
import { type Session, sendAndCheck } from '../session.ts';
import { type AssetTarget, choose, selectAsset } from '../targets.ts';
import { awaitEnd, readResults } from './perform-reads.ts';
import { submit } from './perform-submits.ts';

const flawedSubmission: SubmitFields = {
  mode: 'live',
  isServed: true,
  assets: [{ upload: { kind: 'flawed', pick: 0 }, previous: undefined }],
  sidekicks: 'file safety',
  key: undefined,
  delaySeconds: undefined,
  note: 0,
};

type IssueTarget = AssetTarget & { issueId: string; issue: Partial<Issue> | undefined };

/** A decision changes the status, note and timestamp of one issue, and nothing else. */
export async function decide(command: Commands['decide'], model: Model, session: Session): Promise<void> {
  const { mode, status, note } = command;
  const target = await selectIssue(command, model, session);
  const { submissionId, assetId, issueId, asset, issue } = target;
  const { response, outcome } = await sendAndCheck(
    session,
    'decide',
    `${status} on ${target.label} by ${mode}${note ? ' with a note' : ''}`,
    expectDecision(target, mode),
    () =>
      session.idle[mode].patch(`/submissions/${submissionId}/assets/${assetId}/issues/${issueId}`, { status, note }),
  );
  if (outcome !== '200' || !asset || !issue) return;
  const { statusChangedAt } = response.body;
  const decided = { ...issue, status, statusNote: note ?? null, statusChangedAt, updatedAt: statusChangedAt };
  for (const [name, value] of Object.entries(decided)) assert.deepEqual(response.body[name], value, name);
  assert.ok(statusChangedAt >= (issue.updatedAt ?? ''), 'a decision is not older than the previous one');
  asset.issues.set(issue.ruleCode as string, response.body);
  asset.initialStates.delete(issue.ruleCode as string);
}

async function selectIssue(command: Commands['decide'], model: Model, session: Session): Promise<IssueTarget> {
  const { foreign } = session;
  if (command.asset.kind === 'flawed') await ensureIssues(command.mode, model, session);
  const target = selectAsset(model, session, command.asset);
  if (command.asset.kind === 'foreign') {
    return { ...target, ...foreign.examined, label: 'a foreign issue', issue: undefined };
  }
  const { submission, asset } = target;
  // A reviewer has read an issue before deciding on it.
  const hasIssues = asset?.state === 'complete' && (asset.ruleCodes?.length ?? 0) > 0 && !submission?.isDeleted;
  if (hasIssues && asset.issues.size === 0) {
    await readResults('issues', command.mode, target, model, session);
  }
  const { kind, pick } = command.issue;
  const issue = kind === 'own' ? choose([...(asset?.issues.values() ?? [])], pick) : undefined;
  if (issue) return { ...target, label: `${issue.ruleCode} of ${target.label}`, issueId: issue.id as string, issue };
  const issueId = otherIssueId(model, session, asset, command.issue);
  return { ...target, label: `no issue (${kind}) of ${target.label}`, issueId, issue };
}

/** If there are no issues yet, submits a file with issues and waits for its results. */
async function ensureIssues(mode: Mode, model: Model, session: Session): Promise<void> {
  const inState = (state: Asset['state']) =>
    existingSubmissions(model).find(({ assets }) => assets.some((one) => one.ruleCodes?.length && one.state === state));
  if (inState('complete')) return;
  if (!inState('running')) await submit({ op: 'submit', ...flawedSubmission }, model, session);
  const examined = inState('running');
  if (examined) await awaitEnd(examined, mode, model, session);
}

/** Returns the id of an issue that this asset does not have: one of another asset, or an unknown one. */
function otherIssueId(
  model: Model,
  { foreign }: Session,
  asset: Asset | undefined,
  { kind, pick }: IssueSelector,
): string {
  if (kind === 'foreign') return foreign.examined.issueId;
  const others = existingSubmissions(model).flatMap(({ assets }) => assets.filter((other) => other !== asset));
  const issues = others.flatMap((other) => [...other.issues.values()]);
  return (kind === 'other' && choose(issues, pick)?.id) || randomUUID();
}
