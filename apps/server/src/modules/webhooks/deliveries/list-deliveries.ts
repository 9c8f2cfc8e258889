import { z } from 'zod';
import type { Call, Reply } from '#call/call.ts';
import { cutPage, decodeCursor } from '#call/cursor.ts';
import type { Handles } from '#platform/handles.ts';
import { requireSubscription } from '../subscriptions/require-subscription.ts';
import { listDeliveries as findDeliveries } from './delivery-store.ts';
import { presentDelivery } from './present-delivery.ts';

export async function listDeliveries(
  { caller, params: { subscriptionId }, query }: Call<'listDeliveries'>,
  { db }: Handles,
): Promise<Reply<'listDeliveries'>> {
  await requireSubscription(db, caller.workspaceId, subscriptionId); // 404
  const rows = await findDeliveries(db, caller.workspaceId, subscriptionId, {
    statuses: query.status,
    eventTypes: query.eventType,
    createdAfter: query.createdAfter ? new Date(query.createdAfter) : undefined,
    createdBefore: query.createdBefore ? new Date(query.createdBefore) : undefined,
    beforeId: decodeCursor(query.cursor, z.guid()),
    limit: query.limit + 1,
  });
  const { items, ...page } = cutPage(rows, query.limit, (last) => last.delivery_id);
  return { deliveries: items.map(presentDelivery), ...page };
}
