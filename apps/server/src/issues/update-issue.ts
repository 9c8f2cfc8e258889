import { Refusal } from '@assay/contract/refusals.ts';
import { lastingStatuses } from '@assay/contract/schemas/issue.ts';
import type { Call, Reply } from '../access/caller.ts';
import { refuseChangeOfLive } from '../access/refuse-change-of-live.ts';
import type { Handles } from '../handles/handles.ts';
import { requireAsset } from '../submissions/require-asset.ts';
import { decideIssue } from './decision-store.ts';
import { presentIssue } from './present.ts';

/** Records a reviewer's decision. `publish-issues.ts` carries it to the next version. */
export async function updateIssue(
  { caller, params, body, prefix }: Call<'updateIssue'>,
  { db, clock }: Handles,
): Promise<Reply<'updateIssue'>> {
  const { mode } = await requireAsset(db, caller.workspaceId, params);
  refuseChangeOfLive(caller, mode, 'live_submission');
  const row = await decideIssue(db, caller.workspaceId, params, {
    actorKind: 'api_key',
    actorId: caller.keyId,
    decidedAt: clock.now(),
    toStatus: body.status,
    reason: body.reason ?? null,
    note: body.note ?? null,
    carriesOver: body.carriesOver ?? lastingStatuses.includes(body.status),
  });
  if (!row) throw new Refusal('issue_not_found');
  return presentIssue(row, params, prefix);
}
