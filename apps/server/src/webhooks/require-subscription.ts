import { Refusal } from '@assay/contract/refusals.ts';
import type { WorkspaceId } from '../access/caller.ts';
import type { Db } from '../handles/db.ts';
import { findSubscription, type SubscriptionRow } from './store.ts';

/** 404 for a subscription that is not in the workspace. */
export async function requireSubscription(
  db: Db,
  workspaceId: WorkspaceId,
  subscriptionId: string,
): Promise<SubscriptionRow> {
  const row = await findSubscription(db, workspaceId, subscriptionId);
  if (!row) throw new Refusal('subscription_not_found');
  return row;
}

/** Nothing is sent to one that is not active: 409. */
export function refuseInactive({ disabled_reason }: SubscriptionRow): void {
  if (disabled_reason !== null) throw new Refusal('subscription_inactive');
}
