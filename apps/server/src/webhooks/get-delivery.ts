import type { Call, Reply } from '../access/caller.ts';
import type { Handles } from '../handles/handles.ts';
import { presentDeliveryDetail } from './present.ts';
import { requireDelivery } from './require-delivery.ts';
import { requireSubscription } from './require-subscription.ts';

export async function getDelivery(
  { caller: { workspaceId }, params }: Call<'getDelivery'>,
  { db }: Handles,
): Promise<Reply<'getDelivery'>> {
  await requireSubscription(db, workspaceId, params.subscriptionId); // 404
  return presentDeliveryDetail(await requireDelivery(db, workspaceId, params)); // 404
}
