import { Refusal } from '@assay/contract/refusals.ts';
import type { Call, Reply } from '#call/call.ts';
import { refuseChangeOfLive } from '#call/refuse-change-of-live.ts';
import { publishEvents, recordEvents } from '#modules/webhooks/events/publish-events.ts';
import type { Handles } from '#platform/handles.ts';
import type { RemoveRows } from './delete/remove-rows.ts';
import { failureEvent, finishEvents, subjectOf } from './event-subject.ts';
import { channelOf, presentSubmission } from './present.ts';
import { cancelAssets, lockSubmission, refreshStatus } from './progress-store.ts';
import { requireSubmission } from './require-submission.ts';
import { cancelRunsNow } from './runs/cancel-runs.ts';
import { isFinished } from './status.ts';

/**
 * Unfinished assets fail as cancelled at once. The engine is told only to avoid needless work: results that
 * arrive later are ignored.
 */
export async function cancelSubmission(
  { caller, params: { submissionId } }: Call<'cancelSubmission'>,
  handles: Handles,
  deleteExaminations: RemoveRows,
): Promise<Reply<'cancelSubmission'>> {
  const { workspaceId } = caller;
  const { submission, runs, deliveries } = await handles.db.transaction().execute(async (transaction) => {
    const now = (await lockSubmission(transaction, workspaceId, submissionId)) as Date; // if there is none: 404
    const before = await requireSubmission(transaction, workspaceId, submissionId); // 404
    refuseChangeOfLive(caller, before.mode, 'live_submission'); // 403
    if (isFinished(before.assets.map(({ status }) => status))) throw new Refusal('submission_settled'); // 409
    const cancelled = await cancelAssets(transaction, workspaceId, submissionId, now);
    // Examinations are deleted only after the assets are cancelled, because more may be recorded while the cancellation
    // waits for the lock.
    await deleteExaminations(transaction, workspaceId, submissionId);
    const after = await refreshStatus(transaction, workspaceId, submissionId, before.mode);
    // §6: a cancelled asset counts as failed. A simulated run sends no events of its own.
    const notified = before.mode === 'live' ? cancelled.assets : [];
    const subjects = notified.map((row) => ({ row, subject: subjectOf({ workspaceId, submissionId }, row, before) }));
    const events = [
      ...subjects.map(({ row, subject }) => failureEvent(subject, row, 'cancelled', before, now)),
      ...subjects.slice(0, 1).flatMap(({ subject }) => finishEvents(subject, after, before)),
    ];
    return {
      submission: await requireSubmission(transaction, workspaceId, submissionId),
      runs: cancelled.runs,
      deliveries: await recordEvents(transaction, workspaceId, events, now),
    };
  });
  handles.realtime.notify(channelOf(submissionId));
  publishEvents(handles, workspaceId, deliveries);
  await cancelRunsNow(
    handles,
    runs.map((run) => ({ submissionId, run })),
  );
  return presentSubmission(submission, caller.mode);
}
