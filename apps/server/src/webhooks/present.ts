import type { Attempt, Delivery, Subscription } from '@assay/contract/webhook.ts';
import type { DeliveryRow } from './delivery-store.ts';
import type { SubscriptionRow } from './store.ts';

export function presentSubscription(row: SubscriptionRow): Subscription {
  return {
    subscriptionId: row.subscription_id,
    workspaceId: row.workspace_id,
    url: row.url,
    description: row.description,
    eventTypes: row.event_types,
    isActive: row.disabled_reason === null,
    mode: row.mode,
    createdWith: row.created_with,
    maxRequestsPerSecond: row.max_requests_per_second,
    disabledReason: row.disabled_reason,
    disabledAt: row.disabled_at?.toISOString() ?? null,
    consecutiveFailureCount: row.consecutive_failure_count,
    lastDeliveryAt: row.last_delivery_at?.toISOString() ?? null,
    lastSuccessAt: row.last_success_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

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
