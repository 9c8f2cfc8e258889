import { Refusal } from '@assay/contract/refusals.ts';
import { carriedOverStatuses } from '@assay/contract/schemas/issue.ts';
import type { Call, Reply } from '#call/call.ts';
import type { WorkspaceId } from '#call/caller.ts';
import { refuseChangeOfLive } from '#call/refuse-change-of-live.ts';
import { type ProfilePin, requirePinnedProfile } from '#modules/profiles/find-profile.ts';
import { channelOf } from '#modules/submissions/present.ts';
import { lockSubmission, refreshStatus } from '#modules/submissions/progress-store.ts';
import { requireAsset } from '#modules/submissions/require-asset.ts';
import { publishEvents, recordEvents } from '#modules/webhooks/events/publish-events.ts';
import type { Handles } from '#platform/handles.ts';
import type { Db } from '#platform/postgres/db.ts';
import { changeEvents, judgeAgain, judgeNow } from '../judge-again.ts';
import { presentIssue } from '../present.ts';
import { findIssue } from '../store.ts';
import { decideIssue } from './decision-store.ts';

/**
 * Records a reviewer's decision and stores the verdict that follows. `publish-issues.ts` carries the decision over to the
 * next version. Concurrent decisions are serialised by the lock of the submission; none is lost.
 */
export async function updateIssue(
  { caller, params, body, prefix }: Call<'updateIssue'>,
  handles: Handles,
): Promise<Reply<'updateIssue'>> {
  const { workspaceId } = caller;
  const decision = {
    actor: caller.actor,
    decidedAt: handles.clock.now(),
    toStatus: body.status,
    reason: body.reason ?? null,
    note: body.note ?? null,
    carriesOver: body.carriesOver ?? carriedOverStatuses.includes(body.status),
  };
  const { row, deliveries, isChanged, isVerdictChanged } = await handles.db
    .transaction()
    .execute(async (transaction) => {
      await lockSubmission(transaction, workspaceId, params.submissionId);
      const asset = await requireAsset(transaction, workspaceId, params); // 404
      refuseChangeOfLive(caller, asset.mode, 'live_submission');
      if (body.status === 'DISMISSED' && !body.note?.trim())
        await refuseMissingNote(transaction, workspaceId, asset, params);
      const before = asset.judgement ?? (await judgeNow(transaction, workspaceId, asset));
      const issue = await decideIssue(transaction, workspaceId, params, decision);
      if (!issue) throw new Refusal('issue_not_found');
      const { judgement, isChanged } = await judgeAgain(transaction, workspaceId, asset);
      if (isChanged) await refreshStatus(transaction, workspaceId, params.submissionId, asset.mode);
      const { actor, decidedAt } = decision;
      const verdicts = { previousVerdict: before.verdict, judgement };
      const events = changeEvents(workspaceId, asset, verdicts, { ...params, actor, decidedAt });
      const recorded = await recordEvents(transaction, workspaceId, events, decidedAt);
      return { row: issue, deliveries: recorded, isChanged, isVerdictChanged: events.length > 0 };
    });
  if (isChanged) handles.realtime.notify(channelOf(params.submissionId));
  if (isVerdictChanged) publishEvents(handles, workspaceId, deliveries);
  return presentIssue(row, params, prefix);
}

/** 422 if the submission's profile requires a note; 404 if there is no such issue. */
async function refuseMissingNote(
  db: Db,
  workspaceId: WorkspaceId,
  pin: ProfilePin,
  params: Call<'updateIssue'>['params'],
): Promise<void> {
  const { resolved } = await requirePinnedProfile(db, workspaceId, pin);
  if (!resolved.requireDismissalNote) return;
  if (!(await findIssue(db, workspaceId, params, params.issueId))) throw new Refusal('issue_not_found');
  const detail = 'note must say why the issue can be dismissed.';
  throw new Refusal('note_required', { errors: [{ pointer: '/note', code: 'required', detail }] });
}
