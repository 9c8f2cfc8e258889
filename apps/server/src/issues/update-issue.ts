import { Refusal } from '@assay/contract/refusals.ts';
import type { Call, Reply } from '../access/caller.ts';
import type { Handles } from '../handles/handles.ts';
import { requireAsset } from '../submissions/require-asset.ts';
import { refuseChangeOfLive } from '../submissions/require-submission.ts';
import { presentIssue } from './present.ts';
import { updateIssueStatus } from './store.ts';

/** A reviewer's decision. It stays with the finding: `publish-issues.ts` carries it to the next version. */
export async function updateIssue(
  { caller, params, body }: Call<'updateIssue'>,
  { db, clock }: Handles,
): Promise<Reply<'updateIssue'>> {
  const { mode } = await requireAsset(db, caller.workspaceId, params);
  refuseChangeOfLive(caller, mode);
  const decision = { status: body.status, note: body.note ?? null, at: clock.now() };
  const row = await updateIssueStatus(db, caller.workspaceId, params, decision);
  if (!row) throw new Refusal('issue_not_found');
  return presentIssue(row, params);
}
