import type { Call, Reply } from '#call/call.ts';
import type { Handles } from '#platform/handles.ts';
import { requireSubscription } from '../subscriptions/require-subscription.ts';
import { presentDeliveryDetail } from './present-delivery.ts';
import { requireDelivery } from './require-delivery.ts';

export async function getDelivery(
  { caller: { workspaceId }, params }: Call<'getDelivery'>,
  { db }: Handles,
): Promise<Reply<'getDelivery'>> {
  await requireSubscription(db, workspaceId, params.subscriptionId); // 404
  return presentDeliveryDetail(await requireDelivery(db, workspaceId, params)); // 404
}
