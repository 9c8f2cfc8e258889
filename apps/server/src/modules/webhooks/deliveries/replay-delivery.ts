import type { Call, Reply } from '#call/call.ts';
import { answerOnce } from '#modules/idempotency/answer-once.ts';
import type { Handles } from '#platform/handles.ts';
import { refuseInactive, requireChangeableSubscription } from '../subscriptions/require-subscription.ts';
import { insertReplay } from './delivery-store.ts';
import { presentDelivery } from './present-delivery.ts';
import { requireDelivery } from './require-delivery.ts';
import { lookAfterAt, startDeliveriesInBackground } from './start-deliveries.ts';

/** Sends the same event to the same subscription, as a new delivery. */
export async function replayDelivery(call: Call<'replayDelivery'>, handles: Handles): Promise<Reply<'replayDelivery'>> {
  const { caller, params } = call;
  const { workspaceId } = caller;
  const reply = await answerOnce(handles, 'replayDelivery', call, async () => {
    const subscription = await requireChangeableSubscription(handles.db, caller, params.subscriptionId); // 404, 403
    const delivery = await requireDelivery(handles.db, workspaceId, params); // 404
    refuseInactive(subscription); // 409
    return async (db) => {
      const now = handles.clock.now();
      return presentDelivery(await insertReplay(db, workspaceId, delivery.delivery_id, now, lookAfterAt(now)));
    };
  });
  const { deliveryId, subscriptionId } = reply.response;
  if (!reply.isReplayed) startDeliveriesInBackground(handles, [{ workspaceId, deliveryId, subscriptionId }]);
  return reply;
}
