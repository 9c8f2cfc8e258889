import { Refusal } from '@assay/contract/refusals.ts';
import { carriedOverStatuses } from '@assay/contract/schemas/issue.ts';
import type { Call, Reply } from '#call/call.ts';
import type { WorkspaceId } from '#call/caller.ts';
import { refuseChangeOfLive } from '#call/refuse-change-of-live.ts';
import { type ProfilePin, requirePinnedProfile } from '#modules/profiles/find-profile.ts';
import { requireAsset } from '#modules/submissions/require-asset.ts';
import type { Handles } from '#platform/handles.ts';
import type { Db } from '#platform/postgres/db.ts';
import { presentIssue } from '../present.ts';
import { findIssue } from '../store.ts';
import { decideIssue } from './decision-store.ts';

/** Records a reviewer's decision. `publish-issues.ts` carries it over to the next version. */
export async function updateIssue(
  { caller, params, body, prefix }: Call<'updateIssue'>,
  { db, clock }: Handles,
): Promise<Reply<'updateIssue'>> {
  const asset = await requireAsset(db, caller.workspaceId, params);
  refuseChangeOfLive(caller, asset.mode, 'live_submission');
  if (body.status === 'DISMISSED' && !body.note?.trim()) await refuseMissingNote(db, caller.workspaceId, asset, params);
  const row = await decideIssue(db, caller.workspaceId, params, {
    actor: caller.actor,
    decidedAt: clock.now(),
    toStatus: body.status,
    reason: body.reason ?? null,
    note: body.note ?? null,
    carriesOver: body.carriesOver ?? carriedOverStatuses.includes(body.status),
  });
  if (!row) throw new Refusal('issue_not_found');
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
