import { Refusal } from '@assay/contract/refusals.ts';
import type { Call, Reply, WorkspaceId } from '../access/caller.ts';
import type { Handles } from '../handles/handles.ts';
import { failedEvent } from '../webhooks/asset-event.ts';
import { recordEvents, tellEvents } from '../webhooks/publish-events.ts';
import { cancelRunsNow } from './cancel-runs.ts';
import { channelOf, presentFailure, presentSubmission } from './present.ts';
import { type CancelledAsset, cancelAssets, lockSubmission, refreshStatus } from './progress-store.ts';
import { refuseChangeOfLive, requireSubmission } from './require-submission.ts';
import { isOver, retryCount } from './status.ts';

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
    refuseChangeOfLive(caller, before[0].mode); // 403
    if (isOver(before.map((row) => row.asset_status))) throw new Refusal('submission_settled'); // 409
    const now = handles.clock.now();
    const cancelled = await cancelAssets(transaction, workspaceId, submissionId, now);
    await refreshStatus(transaction, workspaceId, submissionId);
    const events = before[0].mode === 'live' ? eventsOf(workspaceId, submissionId, cancelled.assets, now) : [];
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
  return presentSubmission(rows);
}

/** §6: cancelled is failed. What was rehearsed sends nothing of its own accord. */
function eventsOf(workspaceId: WorkspaceId, submissionId: string, assets: CancelledAsset[], now: Date) {
  return assets.map(({ attempt, ...asset }) => {
    const { errorMessage, isRetryable } = presentFailure({ error_type: 'cancelled', attempt });
    const subject = { workspaceId, submissionId, ...asset, retryCount: retryCount({ attempt }), livemode: true };
    return failedEvent(subject, { errorMessage: errorMessage ?? '', errorType: 'cancelled', isRetryable }, now);
  });
}
