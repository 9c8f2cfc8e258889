import { Refusal } from '@assay/contract/refusals.ts';
import type { Call, Reply } from '../access/caller.ts';
import type { Handles } from '../handles/handles.ts';
import { cancelPending } from './delivery-store.ts';
import type { Outbound } from './outbound.ts';
import { presentSubscription } from './present.ts';
import { requireAllowedUrl } from './require-allowed-url.ts';
import { requireChangeableSubscription } from './require-subscription.ts';
import { updateSubscription as changeSubscription } from './store.ts';

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
  return db.transaction().execute(async (transaction) => {
    const now = clock.now();
    const row = await changeSubscription(transaction, workspaceId, subscriptionId, change, now);
    if (!row) throw new Refusal('subscription_not_found'); // deleted meanwhile
    if (isActive === false) await cancelPending(transaction, workspaceId, { subscriptionId }, now);
    return presentSubscription(row);
  });
}
