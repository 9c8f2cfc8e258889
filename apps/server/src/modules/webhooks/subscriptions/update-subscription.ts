import { Refusal } from '@assay/contract/refusals.ts';
import type { Call, Reply } from '#call/call.ts';
import type { Handles } from '#platform/handles.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { requireAllowedUrl } from '../outbound/require-allowed-url.ts';
import { presentSubscription } from './present-subscription.ts';
import { requireChangeableSubscription } from './require-subscription.ts';
import { cancelPendingDeliveries, updateSubscription as changeSubscription } from './subscription-store.ts';

export async function updateSubscription(
  { caller, params: { subscriptionId }, body }: Call<'updateSubscription'>,
  { db, clock }: Handles,
  { outbound }: { outbound: Outbound },
): Promise<Reply<'updateSubscription'>> {
  const { workspaceId } = caller;
  await requireChangeableSubscription(db, caller, subscriptionId); // 404, 403
  if (body.url !== undefined) await requireAllowedUrl(body.url, outbound); // 422
  const { isActive, url, eventTypes, description, mode, maxRequestsPerSecond } = body;
  const change = {
    isActive,
    ...(url !== undefined && { url }),
    ...(eventTypes && { event_types: eventTypes }),
    ...(description !== undefined && { description }),
    ...(mode && { mode }),
    ...(maxRequestsPerSecond !== undefined && { max_requests_per_second: maxRequestsPerSecond }),
  };
  const now = clock.now();
  const row = await changeSubscription(db, workspaceId, subscriptionId, change, now);
  if (!row) throw new Refusal('subscription_not_found'); // deleted in the meantime
  // The pause is committed first: it holds even if the queue is too long to be cancelled within the request.
  if (isActive === false) await cancelPendingDeliveries(db, workspaceId, subscriptionId, now);
  return presentSubscription(row);
}
