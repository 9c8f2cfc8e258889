import { Refusal } from '@assay/contract/refusals.ts';
import type { Call, Reply } from '#call/call.ts';
import type { WorkspaceId } from '#call/caller.ts';
import { refuseChangeOfLive } from '#call/refuse-change-of-live.ts';
import { discardBlobs } from '#modules/uploads/retention/media-store.ts';
import { removeEventRows } from '#modules/webhooks/events/event-store.ts';
import type { Handles } from '#platform/handles.ts';
import type { Db } from '#platform/postgres/db.ts';
import { cancelAssets, lockSubmission } from '../progress-store.ts';
import { requireSubmission } from '../require-submission.ts';
import { cancelRunsNow } from '../runs/cancel-runs.ts';
import { isFinished } from '../status.ts';
import { removeSubmissionRows } from './removal-store.ts';
import type { RemoveRows } from './remove-rows.ts';

export async function deleteSubmission(
  { caller, params: { submissionId } }: Call<'deleteSubmission'>,
  { db, clock }: Handles,
  removeOthers: readonly RemoveRows[],
): Promise<Reply<'deleteSubmission'>> {
  const { workspaceId } = caller;
  await db.transaction().execute(async (transaction) => {
    await lockSubmission(transaction, workspaceId, submissionId);
    const { mode, assets } = await requireSubmission(transaction, workspaceId, submissionId); // 404
    refuseChangeOfLive(caller, mode, 'live_submission'); // 403
    if (!isFinished(assets.map(({ status }) => status))) throw new Refusal('submission_in_progress'); // 409
    await removeSubmission(transaction, workspaceId, submissionId, clock.now(), removeOthers);
  });
}

/** Cancels a submission if it has not finished, without events, and deletes all its data. */
export async function cancelAndRemove(
  handles: Handles,
  workspaceId: WorkspaceId,
  submissionId: string,
  removeOthers: readonly RemoveRows[],
): Promise<void> {
  const { db, clock } = handles;
  const runs = await db.transaction().execute(async (transaction) => {
    const now = await lockSubmission(transaction, workspaceId, submissionId);
    if (!now) return []; // deleted in the meantime
    const cancelled = await cancelAssets(transaction, workspaceId, submissionId, now);
    await removeSubmission(transaction, workspaceId, submissionId, clock.now(), removeOthers);
    return cancelled.runs;
  });
  await cancelRunsNow(
    handles,
    runs.map((run) => ({ submissionId, run })),
  );
}

/** Deletes all data of a submission. Its media are purged unless another submission also uses them (purge-media.ts). */
export async function removeSubmission(
  db: Db,
  workspaceId: WorkspaceId,
  submissionId: string,
  now: Date,
  removeOthers: readonly RemoveRows[],
): Promise<void> {
  // The submission first: the database permits the deletion of decisions only after that of their submission.
  const { blobIds, mode } = await removeSubmissionRows(db, workspaceId, submissionId);
  for (const removeRows of [removeEventRows, ...removeOthers]) await removeRows(db, workspaceId, submissionId);
  await discardBlobs(db, workspaceId, blobIds, mode, now);
}
