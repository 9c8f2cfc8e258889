import { Refusal } from '@assay/contract/refusals.ts';
import type { WorkspaceId } from '#call/caller.ts';
import type { Db } from '#platform/postgres/db.ts';
import { findDelivery } from './delivery-store.ts';

/** 404 for a delivery that does not belong to this subscription. */
export async function requireDelivery(
  db: Db,
  workspaceId: WorkspaceId,
  { subscriptionId, deliveryId }: { subscriptionId: string; deliveryId: string },
) {
  const row = await findDelivery(db, workspaceId, subscriptionId, deliveryId);
  if (!row) throw new Refusal('delivery_not_found');
  return row;
}
