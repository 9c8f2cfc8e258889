import type { Call, Reply } from '#call/call.ts';
import type { Handles } from '#platform/handles.ts';
import { presentSubscription } from './present-subscription.ts';
import { requireSubscription } from './require-subscription.ts';

export async function getSubscription(
  { caller, params }: Call<'getSubscription'>,
  { db }: Handles,
): Promise<Reply<'getSubscription'>> {
  return presentSubscription(await requireSubscription(db, caller.workspaceId, params.subscriptionId)); // 404
}
