import { Refusal } from '@assay/contract/refusals.ts';
import type { Call, Reply } from '../access/caller.ts';
import { refuseChangeOfLive } from '../access/refuse-change-of-live.ts';
import type { Handles } from '../handles/handles.ts';
import { recordEvents, tellEvents } from '../webhooks/publish-events.ts';
import { cancelRunsNow } from './cancel-runs.ts';
import { failureEvent, subjectOf } from './event-subject.ts';
import { channelOf, presentSubmission } from './present.ts';
import { cancelAssets, lockSubmission, refreshStatus } from './progress-store.ts';
import { requireSubmission } from './require-submission.ts';
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
  const { rows, runs, deliveries } = await handles.db.transaction().execute(async (transaction) => {
    await lockSubmission(transaction, workspaceId, submissionId);
    const before = await requireSubmission(transaction, workspaceId, submissionId); // 404
    refuseChangeOfLive(caller, before[0].mode, 'live_submission'); // 403
    if (isOver(before.map((row) => row.asset_status))) throw new Refusal('submission_settled'); // 409
    const now = handles.clock.now();
    const cancelled = await cancelAssets(transaction, workspaceId, submissionId, now);
    await refreshStatus(transaction, workspaceId, submissionId);
    // §6: cancelled is failed. What was rehearsed sends nothing of its own accord.
    const told = before[0].mode === 'live' ? cancelled.assets : [];
    const events = told.map((row) =>
      failureEvent(subjectOf({ workspaceId, submissionId }, row, before[0]), row, 'cancelled', now),
    );
    return {
      rows: await requireSubmission(transaction, workspaceId, submissionId),
      runs: cancelled.runs,
      deliveries: await recordEvents(transaction, workspaceId, events, now),
    };
  });
  handles.realtime.announce(channelOf(submissionId));
  tellEvents(handles, workspaceId, deliveries);
  await cancelRunsNow(
    handles,
    runs.map((run) => ({ submissionId, run })),
  );
  return presentSubmission(rows, caller.mode);
}
