import { Refusal } from '@assay/contract/refusals.ts';
import type { Caller, WorkspaceId } from '#call/caller.ts';
import { refuseChangeOfLive } from '#call/refuse-change-of-live.ts';
import type { Db } from '#platform/postgres/db.ts';
import { findSubscription, type SubscriptionRow } from './subscription-store.ts';

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

/** For calls that change the subscription or send to it: 404, or 403 for a sandbox key if a live key created it. */
export async function requireChangeableSubscription(
  db: Db,
  caller: Caller,
  subscriptionId: string,
): Promise<SubscriptionRow> {
  const row = await requireSubscription(db, caller.workspaceId, subscriptionId);
  refuseChangeOfLive(caller, row.created_with, 'live_subscription');
  return row;
}

/** 409: nothing is sent to an inactive subscription. */
export function refuseInactive({ disabled_reason }: SubscriptionRow): void {
  if (disabled_reason !== null) throw new Refusal('subscription_inactive');
}
