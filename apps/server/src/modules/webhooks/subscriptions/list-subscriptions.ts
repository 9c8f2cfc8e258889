import { z } from 'zod';
import type { Call, Reply } from '#call/call.ts';
import { cutPage, decodeCursor } from '#call/cursor.ts';
import type { Handles } from '#platform/handles.ts';
import { presentSubscription } from './present-subscription.ts';
import { listSubscriptions as findSubscriptions } from './subscription-store.ts';

export async function listSubscriptions(
  { caller, query }: Call<'listSubscriptions'>,
  { db }: Handles,
): Promise<Reply<'listSubscriptions'>> {
  const afterId = decodeCursor(query.cursor, z.guid());
  const rows = await findSubscriptions(db, caller.workspaceId, afterId, query.limit + 1);
  const { items, ...page } = cutPage(rows, query.limit, (last) => last.subscription_id);
  return { subscriptions: items.map(presentSubscription), ...page };
}
