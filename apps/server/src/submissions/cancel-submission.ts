import { Refusal } from '@assay/contract/refusals.ts';
import type { Call, Reply } from '../access/caller.ts';
import type { Handles } from '../handles/handles.ts';
import { cancelRunsNow } from './cancel-runs.ts';
import { presentSubmission } from './present.ts';
import { cancelAssets, lockSubmission, refreshStatus } from './progress-store.ts';
import { refuseChangeOfLive, requireSubmission } from './require-submission.ts';
import { isOver } from './status.ts';

/**
 * What has not ended yet fails as cancelled, here and now: the engine is only told to spare itself the work, and
 * whatever it still brings is too late.
 */
export async function cancelSubmission(
  { caller, params: { submissionId } }: Call<'cancelSubmission'>,
  handles: Handles,
): Promise<Reply<'cancelSubmission'>> {
  const { workspaceId } = caller;
  const { rows, runs } = await handles.db.transaction().execute(async (transaction) => {
    await lockSubmission(transaction, workspaceId, submissionId);
    const before = await requireSubmission(transaction, workspaceId, submissionId); // 404
    refuseChangeOfLive(caller, before[0].mode); // 403
    if (isOver(before.map((row) => row.asset_status))) throw new Refusal('submission_settled'); // 409
    const cancelledRuns = await cancelAssets(transaction, workspaceId, submissionId, handles.clock.now());
    await refreshStatus(transaction, workspaceId, submissionId);
    return { rows: await requireSubmission(transaction, workspaceId, submissionId), runs: cancelledRuns };
  });
  await cancelRunsNow(
    handles,
    runs.map((run) => ({ submissionId, run })),
  );
  return presentSubmission(rows);
}
