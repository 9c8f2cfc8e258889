import type { Attempt, Delivery } from '@assay/contract/schemas/webhook.ts';
import type { DeliveryRow } from './delivery-store.ts';

export function presentDelivery(row: DeliveryRow): Delivery {
  return {
    deliveryId: row.delivery_id,
    eventId: row.event_id,
    eventType: row.event_type,
    subscriptionId: row.subscription_id,
    submissionId: row.submission_id,
    assetId: row.asset_id,
    status: row.status,
    attemptCount: row.attempt_count,
    maxAttempts: row.max_attempts,
    nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
    lastResponseStatus: row.last_response_status,
    isReplay: row.trigger === 'manual',
    livemode: row.livemode,
    createdAt: row.created_at.toISOString(),
    completedAt: row.completed_at?.toISOString() ?? null,
  };
}

export function presentDeliveryDetail(row: DeliveryRow & { attempts: Attempt[]; body: string }) {
  return { ...presentDelivery(row), payload: JSON.parse(row.body), attempts: row.attempts };
}
