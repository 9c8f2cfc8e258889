import { firedErrorMessage } from '@assay/contract/event.ts';
import type { Call, Reply } from '../access/caller.ts';
import type { Handles } from '../handles/handles.ts';
import { requireSubmission } from '../submissions/require-submission.ts';
import { isRetryable, retryCount } from '../submissions/status.ts';
import { completedEvent, failedEvent } from '../webhooks/asset-event.ts';
import { recordEvents, tellEvents } from '../webhooks/publish-events.ts';

/** §4.10: one event per asset to every active subscription of its type, and nothing else. */
export async function fireEvents(
  { caller: { workspaceId }, body }: Call<'fireEvents'>,
  handles: Handles,
): Promise<Reply<'fireEvents'>> {
  const { submissionId, eventType, errorMessage = firedErrorMessage } = body;
  const rows = await requireSubmission(handles.db, workspaceId, submissionId); // 404
  const now = handles.clock.now();
  const events = rows.map((row) => {
    const subject = {
      workspaceId,
      submissionId,
      assetId: row.asset_id,
      versionGroupId: row.version_group_id,
      versionNumber: row.version_number,
      retryCount: retryCount(row),
      livemode: false,
    };
    if (eventType === 'asset.processing.completed') {
      return completedEvent(subject, { issueCount: null, severityCounts: null }, now);
    }
    const errorType = 'internal_error' as const;
    const failure = { errorMessage, errorType, isRetryable: isRetryable({ errorType, attempt: row.attempt }) };
    return failedEvent(subject, failure, now);
  });
  const deliveries = await recordEvents(handles.db, workspaceId, events, now);
  tellEvents(handles, workspaceId, deliveries);
  return { dispatched: deliveries.length };
}
