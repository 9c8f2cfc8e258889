import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Issue } from '@assay/contract/schemas/issue.ts';
import { type AssetAim, aimAtAsset, choose } from '../aim.ts';
import type { Commands, IssueWish, Submitting } from '../commands.ts';
import { expectDecision } from '../expect/expect-change.ts';
import { type Asset, livingSubmissions, type Mode, type Model } from '../model.ts';
import { type Session, sendAndCheck } from '../session.ts';
import { awaitEnd, readResults } from './perform-reads.ts';
import { submit } from './perform-submits.ts';

const flawedSubmission: Submitting = {
  mode: 'live',
  isServed: true,
  assets: [{ upload: { kind: 'flawed', pick: 0 }, previous: undefined }],
  sidekicks: 'file safety',
  key: undefined,
  delaySeconds: undefined,
  note: 0,
};

type IssueAim = AssetAim & { issueId: string; issue: Partial<Issue> | undefined };

/** A decision changes the status, note and timestamp of one issue, and nothing else. */
export async function decide(command: Commands['decide'], model: Model, session: Session): Promise<void> {
  const { mode, status, note } = command;
  const aim = await aimAtIssue(command, model, session);
  const { submissionId, assetId, issueId, asset, issue } = aim;
  const { answer, said } = await sendAndCheck(
    session,
    'decide',
    `${status} on ${aim.label} by ${mode}${note ? ' with a note' : ''}`,
    expectDecision(aim, mode),
    () =>
      session.idle[mode].patch(`/submissions/${submissionId}/assets/${assetId}/issues/${issueId}`, { status, note }),
  );
  if (said !== '200' || !asset || !issue) return;
  const { statusChangedAt } = answer.body;
  const decided = { ...issue, status, statusNote: note ?? null, statusChangedAt, updatedAt: statusChangedAt };
  for (const [name, value] of Object.entries(decided)) assert.deepEqual(answer.body[name], value, name);
  assert.ok(statusChangedAt >= (issue.updatedAt ?? ''), 'a decision is not older than the previous one');
  asset.issues.set(issue.ruleCode as string, answer.body);
  asset.beginnings.delete(issue.ruleCode as string);
}

async function aimAtIssue(command: Commands['decide'], model: Model, session: Session): Promise<IssueAim> {
  const { foreign } = session;
  if (command.asset.kind === 'flawed') await needIssues(command.mode, model, session);
  const aim = aimAtAsset(model, session, command.asset);
  if (command.asset.kind === 'foreign') {
    return { ...aim, ...foreign.examined, label: 'a foreign issue', issue: undefined };
  }
  const { submission, asset } = aim;
  // A reviewer has read an issue before deciding on it.
  const hasIssues = asset?.state === 'complete' && (asset.ruleCodes?.length ?? 0) > 0 && !submission?.isDeleted;
  if (hasIssues && asset.issues.size === 0) {
    await readResults('issues', command.mode, aim, model, session);
  }
  const { kind, pick } = command.issue;
  const issue = kind === 'own' ? choose([...(asset?.issues.values() ?? [])], pick) : undefined;
  if (issue) return { ...aim, label: `${issue.ruleCode} of ${aim.label}`, issueId: issue.id as string, issue };
  const issueId = strangeIssueId(model, session, asset, command.issue);
  return { ...aim, label: `no issue (${kind}) of ${aim.label}`, issueId, issue };
}

/** If there are no issues yet, first has a file with issues examined. */
async function needIssues(mode: Mode, model: Model, session: Session): Promise<void> {
  const inState = (state: Asset['state']) =>
    livingSubmissions(model).find(({ assets }) => assets.some((one) => one.ruleCodes?.length && one.state === state));
  if (inState('complete')) return;
  if (!inState('running')) await submit({ op: 'submit', ...flawedSubmission }, model, session);
  const examined = inState('running');
  if (examined) await awaitEnd(examined, mode, model, session);
}

/** The id of an issue that this asset does not have: of another one, or unknown. */
function strangeIssueId(
  model: Model,
  { foreign }: Session,
  asset: Asset | undefined,
  { kind, pick }: IssueWish,
): string {
  if (kind === 'foreign') return foreign.examined.issueId;
  const others = livingSubmissions(model).flatMap(({ assets }) => assets.filter((other) => other !== asset));
  const issues = others.flatMap((other) => [...other.issues.values()]);
  return (kind === 'other' && choose(issues, pick)?.id) || randomUUID();
}
