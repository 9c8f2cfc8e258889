import { Refusal } from '@assay/contract/refusals.ts';
import type { Call, Reply } from '#call/call.ts';
import type { Handles } from '#platform/handles.ts';
import { requireChangeableSubscription } from './require-subscription.ts';
import { deleteSubscription as removeSubscription } from './subscription-store.ts';

/**
 * Deletes a subscription. Its pending deliveries are cancelled when their next attempt is due. Its history can no
 * longer be read and expires as usual.
 */
export async function deleteSubscription(
  { caller, params }: Call<'deleteSubscription'>,
  { db }: Handles,
): Promise<Reply<'deleteSubscription'>> {
  await requireChangeableSubscription(db, caller, params.subscriptionId); // 404, 403
  const isKnown = await removeSubscription(db, caller.workspaceId, params.subscriptionId);
  if (!isKnown) throw new Refusal('subscription_not_found'); // deleted in the meantime
}
