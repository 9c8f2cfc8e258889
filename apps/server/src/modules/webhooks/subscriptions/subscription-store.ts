import { subscriptionsPerWorkspaceMax } from '@assay/contract/limits.ts';
import type { DisabledReason, Subscription } from '@assay/contract/schemas/webhook.ts';
import { sql } from 'kysely';
import type { Mode, WorkspaceId } from '#call/caller.ts';
import { listColumns, type RowOf } from '#platform/postgres/columns.ts';
import type { DB } from '#platform/postgres/database.generated.ts';
import type { Db } from '#platform/postgres/db.ts';

const columnNames = [
  'subscription_id',
  'workspace_id',
  'url',
  'description',
  'event_types',
  'mode',
  'created_with',
  'max_requests_per_second',
  'disabled_reason',
  'disabled_at',
  'consecutive_failure_count',
  'last_delivery_at',
  'last_success_at',
  'created_at',
  'updated_at',
] as const;
const columns = listColumns(columnNames);

export type SubscriptionRow = RowOf<
  Pick<DB, 'subscriptions'>,
  typeof columnNames,
  {
    event_types: Subscription['eventTypes'];
    mode: Subscription['mode'];
    created_with: Mode;
    disabled_reason: DisabledReason | null;
  }
>;

export type NewSubscription = Pick<
  SubscriptionRow,
  'subscription_id' | 'url' | 'description' | 'event_types' | 'mode' | 'created_with' | 'max_requests_per_second'
> & { secret: Buffer };

/** Returns undefined if the workspace has reached its limit. Concurrent calls are serialised. */
export async function insertSubscription(
  db: Db,
  workspaceId: WorkspaceId,
  row: NewSubscription,
  now: Date,
): Promise<SubscriptionRow | undefined> {
  await sql`select from workspaces where workspace_id = ${workspaceId} for no key update`.execute(db);
  const { rows } = await sql<SubscriptionRow>`
    insert into subscriptions (
      subscription_id, workspace_id, url, description, event_types, mode, created_with, max_requests_per_second, secret,
      created_at, updated_at
    )
    select ${row.subscription_id}::uuid, ${workspaceId}::uuid, ${row.url}, ${row.description}, ${row.event_types}::text[],
      ${row.mode}, ${row.created_with}, ${row.max_requests_per_second}::int, ${row.secret}::bytea, ${now}::timestamptz, ${now}::timestamptz
    where (select count(*) from subscriptions where workspace_id = ${workspaceId}) < ${subscriptionsPerWorkspaceMax}
    returning ${columns}`.execute(db);
  return rows[0];
}

export async function countSubscriptions(db: Db, workspaceId: WorkspaceId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from subscriptions where workspace_id = ${workspaceId}`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function findSubscription(
  db: Db,
  workspaceId: WorkspaceId,
  subscriptionId: string,
): Promise<SubscriptionRow | undefined> {
  const { rows } = await sql<SubscriptionRow>`
    select ${columns} from subscriptions
    where subscription_id = ${subscriptionId} and workspace_id = ${workspaceId}`.execute(db);
  return rows[0];
}

export async function listSubscriptions(
  db: Db,
  workspaceId: WorkspaceId,
  afterId: string | undefined,
  limit: number,
): Promise<SubscriptionRow[]> {
  const { rows } = await sql<SubscriptionRow>`
    select ${columns} from subscriptions
    where workspace_id = ${workspaceId} ${afterId ? sql`and subscription_id > ${afterId}` : sql``}
    order by subscription_id limit ${limit}`.execute(db);
  return rows;
}

export type SubscriptionChange = Partial<Omit<NewSubscription, 'subscription_id' | 'created_with' | 'secret'>> & {
  isActive?: boolean | undefined;
};

/** Reactivation resets the failure count; a repeated deactivation keeps the reason and time of the first. */
export async function updateSubscription(
  db: Db,
  workspaceId: WorkspaceId,
  subscriptionId: string,
  { isActive, ...values }: SubscriptionChange,
  now: Date,
): Promise<SubscriptionRow | undefined> {
  const row = await db
    .updateTable('subscriptions')
    .set({
      ...values,
      updated_at: now,
      ...(isActive && { disabled_reason: null, disabled_at: null, consecutive_failure_count: 0, failing_since: null }),
      ...(isActive === false && {
        disabled_reason: sql<string>`coalesce(disabled_reason, 'manual')`,
        disabled_at: sql<Date>`coalesce(disabled_at, ${now}::timestamptz)`,
      }),
    })
    .where('subscription_id', '=', subscriptionId)
    .where('workspace_id', '=', workspaceId)
    .returning('subscription_id')
    .executeTakeFirst();
  return row && findSubscription(db, workspaceId, subscriptionId);
}

/** Returns whether the subscription existed. */
export async function deleteSubscription(db: Db, workspaceId: WorkspaceId, subscriptionId: string): Promise<boolean> {
  const result = await db
    .deleteFrom('subscriptions')
    .where('subscription_id', '=', subscriptionId)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/**
 * Deletes up to `limit` events and as many deliveries of a workspace, and its subscriptions once they have no deliveries.
 * Returns how many rows.
 */
export async function removeWebhookRows(db: Db, workspaceId: WorkspaceId, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with gone_deliveries as (
      delete from deliveries where workspace_id = ${workspaceId} and delivery_id = any(array(
        select delivery_id from deliveries d join subscriptions s using (subscription_id)
        where s.workspace_id = ${workspaceId} limit ${limit}
      )) returning 1
    ), gone_events as (
      delete from events where workspace_id = ${workspaceId} and event_id = any(array(
        select event_id from events where workspace_id = ${workspaceId} limit ${limit}
      )) returning 1
    ), gone_subscriptions as (
      delete from subscriptions s where s.workspace_id = ${workspaceId} and not exists (
        select from deliveries d where d.subscription_id = s.subscription_id
      ) returning 1
    )
    select ((select count(*) from gone_deliveries) + (select count(*) from gone_events)
      + (select count(*) from gone_subscriptions))::int as count`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The old secret continues to sign until its grace period ends. Returns whether the subscription exists. */
export async function replaceSecret(
  db: Db,
  workspaceId: WorkspaceId,
  subscriptionId: string,
  secret: Buffer,
  previousExpiresAt: Date,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update subscriptions set previous_secret = secret, previous_secret_expires_at = ${previousExpiresAt}::timestamptz,
      secret = ${secret}::bytea, updated_at = ${now}::timestamptz
    where subscription_id = ${subscriptionId} and workspace_id = ${workspaceId}
    returning subscription_id`.execute(db);
  return rows.length > 0;
}

export type SecretRow = { secret: Buffer; previousSecret: Buffer | null; previousSecretExpiresAt: Date | null };

export async function findSecrets(
  db: Db,
  workspaceId: WorkspaceId,
  subscriptionId: string,
): Promise<SecretRow | undefined> {
  const { rows } = await sql<SecretRow>`
    select secret, previous_secret as "previousSecret", previous_secret_expires_at as "previousSecretExpiresAt"
    from subscriptions where subscription_id = ${subscriptionId} and workspace_id = ${workspaceId}`.execute(db);
  return rows[0];
}

export type SealedSecrets = { subscriptionId: string; secret: Buffer; previousSecret: Buffer | null };

const sealedColumns = sql`subscription_id as "subscriptionId", secret, previous_secret as "previousSecret"`;

/** The sealed secrets of all workspaces, ordered by subscription id. */
export async function listSealedSecrets(db: Db, afterId: string | undefined, limit: number): Promise<SealedSecrets[]> {
  const { rows } = await sql<SealedSecrets>`
    select ${sealedColumns} from subscriptions ${afterId ? sql`where subscription_id > ${afterId}` : sql``}
    order by subscription_id limit ${limit}`.execute(db);
  return rows;
}

export async function findSealedSecrets(db: Db, subscriptionId: string): Promise<SealedSecrets | undefined> {
  const { rows } = await sql<SealedSecrets>`
    select ${sealedColumns} from subscriptions where subscription_id = ${subscriptionId}`.execute(db);
  return rows[0];
}

/** Stores the resealed secrets; false if the secrets have changed in the meantime. */
export async function replaceSealedSecrets(
  db: Db,
  before: SealedSecrets,
  { secret, previousSecret }: Omit<SealedSecrets, 'subscriptionId'>,
): Promise<boolean> {
  const { rows } = await sql`
    update subscriptions set secret = ${secret}::bytea, previous_secret = ${previousSecret}::bytea
    where subscription_id = ${before.subscriptionId} and secret = ${before.secret}::bytea
      and previous_secret is not distinct from ${before.previousSecret}::bytea
    returning subscription_id`.execute(db);
  return rows.length > 0;
}

const cancelled = (now: Date) => sql`status = 'cancelled', completed_at = ${now}::timestamptz, next_attempt_at = null`;

/** Cancels a pending delivery whose receiver no longer wants it. */
export async function cancelDelivery(db: Db, workspaceId: WorkspaceId, deliveryId: string, now: Date): Promise<void> {
  await sql`
    update deliveries set ${cancelled(now)}
    where delivery_id = ${deliveryId} and workspace_id = ${workspaceId} and status = 'pending'`.execute(db);
}

const cancelBatchSize = 1000;

/**
 * Cancels the pending deliveries of an inactive subscription, in batches, because it may have hundreds of thousands. It
 * ends if the subscription is reactivated meanwhile. If it is interrupted, `deliver` cancels the rest one by one.
 */
export async function cancelPendingDeliveries(
  db: Db,
  workspaceId: WorkspaceId,
  subscriptionId: string,
  now: Date,
): Promise<void> {
  let isFull: boolean;
  do {
    // The order of `deliveries_by_kind`: two batches at once lock their rows in the same order.
    const result = await sql`
      update deliveries set ${cancelled(now)}
      where delivery_id = any(array(
        select delivery_id from deliveries
        where subscription_id = ${subscriptionId} and workspace_id = ${workspaceId} and status = 'pending'
          and exists (
            select from subscriptions s where s.subscription_id = ${subscriptionId} and s.disabled_reason is not null
          )
        order by event_type, delivery_id limit ${cancelBatchSize} for update
      )) and status = 'pending'`.execute(db);
    isFull = result.numAffectedRows === BigInt(cancelBatchSize);
  } while (isFull);
}
