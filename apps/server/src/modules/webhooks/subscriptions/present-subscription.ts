import type { Subscription } from '@assay/contract/schemas/webhook.ts';
import type { SubscriptionRow } from './subscription-store.ts';

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
