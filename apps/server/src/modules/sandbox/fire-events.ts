import { type FiredEventType, firedErrorMessage } from '@assay/contract/schemas/event.ts';
import type { Call, Reply } from '#call/call.ts';
import { subjectOf } from '#modules/submissions/event-subject.ts';
import { lockSubmission } from '#modules/submissions/progress-store.ts';
import { requireSubmission } from '#modules/submissions/require-submission.ts';
import type { StoredAsset } from '#modules/submissions/select-store.ts';
import { isRetryable } from '#modules/submissions/status.ts';
import { completedEvent, failedEvent } from '#modules/webhooks/events/asset-event.ts';
import type { NewEvent } from '#modules/webhooks/events/event-store.ts';
import { publishEvents, recordEvents } from '#modules/webhooks/events/publish-events.ts';
import type { Handles } from '#platform/handles.ts';

/** §4.10: one event per asset to every active subscription of its type, and nothing else. */
export async function fireEvents(
  { caller: { workspaceId }, body }: Call<'fireEvents'>,
  handles: Handles,
): Promise<Reply<'fireEvents'>> {
  const { submissionId, eventType, errorMessage = firedErrorMessage } = body;
  const now = handles.clock.now();
  const deliveries = await handles.db.transaction().execute(async (transaction) => {
    await lockSubmission(transaction, workspaceId, submissionId); // no event is written for a deleted submission
    const { assets, metadata } = await requireSubmission(transaction, workspaceId, submissionId); // 404
    const events = assets.map((asset) => eventOf(asset, metadata));
    return recordEvents(transaction, workspaceId, events, now);
  });
  publishEvents(handles, workspaceId, deliveries);
  return { dispatched: deliveries.length };

  function eventOf(asset: StoredAsset, metadata: Record<string, unknown>) {
    const subject = subjectOf({ workspaceId, submissionId }, asset, { mode: 'sandbox', metadata });
    const errorType = 'internal_error' as const;
    const failure = {
      errorMessage,
      errorType,
      isRetryable: isRetryable({ errorType, attempt: asset.attempt }),
      profile: null,
    };
    const events: Record<FiredEventType, () => NewEvent> = {
      'asset.processing.completed': () => completedEvent(subject, null, now),
      'asset.processing.failed': () => failedEvent(subject, failure, now),
    };
    return events[eventType]();
  }
}
