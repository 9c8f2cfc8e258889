import { deliveryAttemptsMax, failuresBeforeDisabledMin, replayedDeliveriesMax } from '@assay/contract/limits.ts';
import { eventTypes as allEventTypes, type EventType } from '@assay/contract/schemas/event.ts';
import { type Attempt, type Delivery, type DisabledReason, deliveryStatuses } from '@assay/contract/schemas/webhook.ts';
import { type RawBuilder, sql } from 'kysely';
import type { WorkspaceId } from '#call/caller.ts';
import { listColumns, type RowOf } from '#platform/postgres/columns.ts';
import type { DB } from '#platform/postgres/database.generated.ts';
import type { Db } from '#platform/postgres/db.ts';
import { idFloor } from '#platform/postgres/id-floor.ts';
import type { SecretRow } from '../subscriptions/subscription-store.ts';

/** A delivery to be started in the engine. Ids only, because the engine stores its input. */
export type DueDelivery = { workspaceId: WorkspaceId; deliveryId: string; subscriptionId: string };

export const dueColumns = sql`
  workspace_id as "workspaceId", delivery_id as "deliveryId", subscription_id as "subscriptionId"`;

const columnNames = [
  'd.delivery_id',
  'd.event_id',
  'd.event_type',
  'd.subscription_id',
  'd.submission_id',
  'd.asset_id',
  'd.trigger',
  'd.status',
  'd.attempt_count',
  'd.max_attempts',
  'd.next_attempt_at',
  'd.last_response_status',
  'd.livemode',
  'd.created_at',
  'd.completed_at',
] as const;
const columns = listColumns(columnNames);

export type DeliveryRow = RowOf<
  { d: DB['deliveries'] },
  typeof columnNames,
  { event_type: EventType; trigger: Attempt['trigger']; status: Delivery['status'] }
>;

export type DeliveryFilter = {
  statuses: Delivery['status'][] | undefined;
  eventTypes: EventType[] | undefined;
  createdAfter: Date | undefined;
  createdBefore: Date | undefined;
  /** The last delivery of the previous page. */
  beforeId: string | undefined;
  limit: number;
};

// The id of a delivery is generated slightly after its `created_at`, perhaps by another clock. A time range is
// therefore queried by an id range with slack on both sides, which uses the index, and by an exact condition.
const idSlackMillis = 60_000;
const idsFrom = (moment: Date) => idFloor(new Date(moment.getTime() - idSlackMillis));
const idsBefore = (moment: Date) => idFloor(new Date(moment.getTime() + idSlackMillis));

export async function listDeliveries(
  db: Db,
  workspaceId: WorkspaceId,
  subscriptionId: string,
  { statuses, eventTypes, createdAfter, createdBefore, beforeId, limit }: DeliveryFilter,
): Promise<DeliveryRow[]> {
  const conditions = sql`
    d.subscription_id = ${subscriptionId} and d.workspace_id = ${workspaceId}
    ${createdAfter ? sql`and d.delivery_id >= ${idsFrom(createdAfter)} and d.created_at > ${createdAfter}` : sql``}
    ${createdBefore ? sql`and d.delivery_id < ${idsBefore(createdBefore)} and d.created_at < ${createdBefore}` : sql``}
    ${beforeId ? sql`and d.delivery_id < ${beforeId}` : sql``}`;
  const isFiltered = statuses !== undefined || eventTypes !== undefined;
  const before = [beforeId, createdBefore && idsBefore(createdBefore)].filter((id) => id !== undefined).sort()[0];
  const ids = { from: createdAfter && idsFrom(createdAfter), before };
  const { rows } = await sql<DeliveryRow>`
    ${
      isFiltered
        ? selectByKind(statuses, eventTypes, { columns, conditions, ids, isNewestFirst: true, limit })
        : sql`select ${columns} from deliveries d where ${conditions} order by d.delivery_id desc limit ${limit}`
    }`.execute(db);
  return rows;
}

type PageQuery = Record<'columns' | 'conditions', RawBuilder<unknown>> & {
  /** Bounds of what the conditions accept. The scan of the index starts at the nearer one. */
  ids: Record<'from' | 'before', string | undefined>;
  isNewestFirst: boolean;
  limit: number;
};

const lowestId = '00000000-0000-0000-0000-000000000000';
const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Deliveries of these statuses and event types. Each combination is a range of the index `deliveries_by_kind`, so a
 * status that few of many deliveries have is found without reading the others.
 */
function selectByKind(
  statuses: readonly Delivery['status'][] = deliveryStatuses,
  types: readonly EventType[] = allEventTypes,
  { columns, conditions, ids: { from = lowestId, before = highestId }, isNewestFirst, limit }: PageQuery,
) {
  const order = isNewestFirst ? sql`desc` : sql`asc`;
  // A plain comparison with the status would be planned as if each status were frequent: PostgreSQL would look for the
  // few failed deliveries in the order of the ids, among all others. The row comparison starts the scan at the near bound,
  // which a condition on the last column of an index does not if those before it are ranges. It does not end the scan at
  // the far bound: if fewer deliveries than the limit are in the range, the others of the kind are read, those of the
  // months in the range only.
  return sql`
    select kind.*
    from unnest(${unique(statuses)}::text[]) wanted (status) cross join unnest(${unique(types)}::text[]) type (name)
    cross join lateral (
      select ${columns} from deliveries d
      where d.status between wanted.status and wanted.status and d.event_type = type.name and ${conditions}
        and (d.status, d.delivery_id) between (wanted.status, ${from}::uuid) and (wanted.status, ${before}::uuid)
      order by d.status ${order}, d.delivery_id ${order} limit ${limit}
    ) kind
    order by kind.delivery_id ${order} limit ${limit}`;
}

/** A caller may repeat a value of a filter, which must not repeat its deliveries. */
const unique = <T>(values: readonly T[]) => [...new Set(values)];

export async function findDelivery(db: Db, workspaceId: WorkspaceId, subscriptionId: string, deliveryId: string) {
  const { rows } = await sql<DeliveryRow & { attempts: Attempt[]; body: string }>`
    select ${columns}, d.attempts, e.body
    from deliveries d join events e on e.event_id = d.event_id
    where d.delivery_id = ${deliveryId} and d.subscription_id = ${subscriptionId}
      and d.workspace_id = ${workspaceId}`.execute(db);
  return rows[0];
}

export type PendingDelivery = Pick<DeliveryRow, 'trigger' | 'attempt_count' | 'max_attempts'> &
  SecretRow & {
    deliveryId: string;
    subscriptionId: string;
    eventId: string;
    body: string | null;
    nextAttemptAt: Date;
    /** The time of the database. */
    now: Date;
    /** `null` if the subscription was deleted. */
    url: string | null;
    isActive: boolean;
    maxRequestsPerSecond: number | null;
    consecutiveFailureCount: number;
    /** How many attempts at this delivery were blocked because of the receiver's address. */
    blockedCount: number;
  };

/** A pending delivery with all data needed to send it; undefined if it is finished. */
export async function findPendingDelivery(
  db: Db,
  workspaceId: WorkspaceId,
  deliveryId: string,
): Promise<PendingDelivery | undefined> {
  const { rows } = await sql<PendingDelivery>`
    select d.delivery_id as "deliveryId", d.subscription_id as "subscriptionId", d.event_id as "eventId", d.trigger,
      d.attempt_count, d.max_attempts, d.next_attempt_at as "nextAttemptAt", clock_timestamp() as now, e.body, s.url, s.secret,
      s.previous_secret as "previousSecret", s.previous_secret_expires_at as "previousSecretExpiresAt",
      s.disabled_reason is null as "isActive", s.max_requests_per_second as "maxRequestsPerSecond",
      s.consecutive_failure_count as "consecutiveFailureCount",
      jsonb_array_length(jsonb_path_query_array(d.attempts, '$[*] ? (@.errorCode == "blocked_address")'))
        as "blockedCount"
    from deliveries d
    left join events e on e.event_id = d.event_id
    left join subscriptions s on s.subscription_id = d.subscription_id
    where d.delivery_id = ${deliveryId} and d.workspace_id = ${workspaceId} and d.status = 'pending'`.execute(db);
  return rows[0];
}

export type AttemptRecord = {
  deliveryId: string;
  attempt: Attempt;
  status: Delivery['status'];
  nextAttemptAt: Date | null;
  lookAfterAt: Date;
  /** The reason to disable the subscription at once, if there is one. */
  disable: Extract<DisabledReason, 'gone' | 'blocked_address'> | null;
  /** After enough failures in a row, the subscription is disabled if the first of them was at or before this time. */
  failingSinceMax: Date;
  now: Date;
};

/**
 * Records an attempt only once: a delayed worker writes nothing. Returns the reason for which the subscription is
 * disabled, or null.
 */
export async function recordAttempt(
  db: Db,
  workspaceId: WorkspaceId,
  { deliveryId, attempt, status, nextAttemptAt, lookAfterAt, disable, failingSinceMax, now }: AttemptRecord,
): Promise<DisabledReason | null> {
  const isSuccess = attempt.errorCode === null;
  // The subscription is locked before the delivery, as in every statement that changes both, to prevent deadlocks.
  const subscription = sql`
    subscription as (
      select s.subscription_id from subscriptions s
      where s.subscription_id = (
        select subscription_id from deliveries where delivery_id = ${deliveryId} and workspace_id = ${workspaceId}
      ) ${isSuccess ? unlessRecentSuccess(now) : sql``}
      for no key update
    )`;
  const attempted = sql`
    attempted as (
      update deliveries set status = ${status}, attempt_count = attempt_count + 1,
        attempts = attempts || ${JSON.stringify([attempt])}::jsonb, last_response_status = ${attempt.responseStatus}::int,
        next_attempt_at = ${nextAttemptAt}::timestamptz, look_after_at = ${lookAfterAt}::timestamptz,
        completed_at = ${status === 'pending' ? null : now}::timestamptz
      where delivery_id = ${deliveryId} and workspace_id = ${workspaceId} and status = 'pending'
        and attempt_count = ${attempt.attemptNumber - 1}
        and (select count(*) from subscription) >= 0 -- orders the locks; also true without a subscription
      returning delivery_id
    )`;
  const outcome = isSuccess
    ? sql`last_success_at = ${now}::timestamptz, consecutive_failure_count = 0, failing_since = null`
    : sql`
        consecutive_failure_count = consecutive_failure_count + 1,
        failing_since = coalesce(failing_since, ${now}::timestamptz),
        disabled_at = case when disabled_at is null and (${disabledReasonSql(disable, failingSinceMax)}) is not null
          then ${now}::timestamptz else disabled_at end,
        disabled_reason = coalesce(disabled_reason, ${disabledReasonSql(disable, failingSinceMax)})`;
  const { rows } = await sql<{ disabledReason: DisabledReason | null }>`
    with ${subscription}, ${attempted}
    update subscriptions s set last_delivery_at = ${now}::timestamptz, ${outcome}
    from subscription, attempted where s.subscription_id = subscription.subscription_id
    returning s.disabled_reason as "disabledReason"`.execute(db);
  return rows[0]?.disabledReason ?? null;
}

// A success within a second of the last one is not recorded on the subscription, to avoid waits for its row lock.
function unlessRecentSuccess(now: Date) {
  const moment = new Date(now.getTime() - 1000);
  return sql`and (s.consecutive_failure_count > 0 or s.last_success_at is null or s.last_success_at < ${moment}::timestamptz)`;
}

function disabledReasonSql(disable: DisabledReason | null, failingSinceMax: Date) {
  return sql`
    case when ${disable}::text is not null then ${disable}::text
      when consecutive_failure_count + 1 >= ${failuresBeforeDisabledMin} and failing_since <= ${failingSinceMax}::timestamptz
        then 'consecutive_failures'
    end`;
}

/** Inserts the event and the finished delivery of a subscription test. */
export async function insertTest(
  db: Db,
  workspaceId: WorkspaceId,
  event: { eventId: string; type: EventType; body: string },
  subscriptionId: string,
  attempt: Attempt,
  now: Date,
): Promise<void> {
  await sql`
    with event as (
      insert into events (event_id, workspace_id, type, livemode, body)
      values (${event.eventId}, ${workspaceId}, ${event.type}, false, ${event.body})
    )
    insert into deliveries (
      delivery_id, workspace_id, subscription_id, event_id, event_type, livemode, trigger, status, attempt_count,
      max_attempts, attempts, last_response_status, look_after_at, created_at, completed_at
    )
    values (
      uuid_v7(), ${workspaceId}, ${subscriptionId}, ${event.eventId}, ${event.type}, false, 'test',
      ${attempt.errorCode === null ? 'succeeded' : 'failed'}, 1, 1, ${JSON.stringify([attempt])}::jsonb,
      ${attempt.responseStatus}::int, ${now}, ${attempt.startedAt}::timestamptz, ${now}
    )`.execute(db);
}

const replayColumns = sql`
  delivery_id, workspace_id, subscription_id, event_id, event_type, livemode, submission_id, asset_id, trigger,
  max_attempts, next_attempt_at, look_after_at, created_at`;

const replayedFrom = sql`
  uuid_v7(), workspace_id, subscription_id, event_id, event_type, livemode, submission_id, asset_id, 'manual',
  ${deliveryAttemptsMax}::int`;

/** Inserts a new delivery of the same event, whose schedule starts again. */
export async function insertReplay(
  db: Db,
  workspaceId: WorkspaceId,
  deliveryId: string,
  now: Date,
  lookAfterAt: Date,
): Promise<DeliveryRow> {
  const { rows } = await sql<DeliveryRow>`
    insert into deliveries as d (${replayColumns})
    select ${replayedFrom}, ${now}::timestamptz, ${lookAfterAt}::timestamptz, ${now}::timestamptz
    from deliveries where delivery_id = ${deliveryId} and workspace_id = ${workspaceId}
    returning ${columns}`.execute(db);
  return rows[0] as DeliveryRow;
}

export type ReplayRange = {
  since: Date;
  until: Date;
  statuses: Delivery['status'][];
  eventTypes: EventType[] | undefined;
};

// Each statement of a replay ends well within the time limit of a statement.
const replayBatchSize = 1000;

/** Inserts one new delivery per event in the range, oldest first, and returns how many. The sweep starts them when due. */
export async function insertReplays(
  db: Db,
  workspaceId: WorkspaceId,
  subscriptionId: string,
  range: ReplayRange,
  now: Date,
): Promise<number> {
  const deliveryIds = await findReplayed(db, workspaceId, subscriptionId, range);
  const { firstAt, secondsBetween } = await findReplayPace(db, workspaceId, subscriptionId, now);
  for (let i = 0; i < deliveryIds.length; i += replayBatchSize) {
    const batch = deliveryIds.slice(i, i + replayBatchSize);
    const dueAt = sql`
      ${firstAt}::timestamptz + make_interval(secs => ${secondsBetween}::float8 * (${i}::int + row_number() over (order by delivery_id) - 1))`;
    await sql`
      insert into deliveries (${replayColumns})
      select ${replayedFrom}, due_at, due_at, ${now}::timestamptz
      from (
        select *, ${dueAt} as due_at from deliveries
        where delivery_id = any(${batch}::uuid[]) and workspace_id = ${workspaceId}
      ) replayed
      order by delivery_id`.execute(db);
  }
  return deliveryIds.length;
}

/**
 * When replayed deliveries are due. Those to a subscription with a limit follow each other as fast as it allows, after
 * those of earlier replays: if all were due at once, each would wait in the engine and ask for a permit every second.
 */
async function findReplayPace(db: Db, workspaceId: WorkspaceId, subscriptionId: string, now: Date) {
  const pending = selectByKind(['pending'], undefined, {
    columns: sql`d.delivery_id, d.next_attempt_at`,
    conditions: sql`d.subscription_id = ${subscriptionId} and d.workspace_id = ${workspaceId} and d.trigger = 'manual'`,
    ids: { from: undefined, before: undefined },
    isNewestFirst: true,
    limit: replayBatchSize, // ids of one millisecond have no order
  });
  const { rows } = await sql<{ perSecond: number | null; lastAt: Date | null }>`
    select max_requests_per_second as "perSecond", case when max_requests_per_second is not null then (
      select max(next_attempt_at) from (${pending}) newest
    ) end as "lastAt"
    from subscriptions where subscription_id = ${subscriptionId} and workspace_id = ${workspaceId}`.execute(db);
  const { perSecond = null, lastAt = null } = rows[0] ?? {};
  if (perSecond === null) return { firstAt: now, secondsBetween: 0 };
  const secondsBetween = 1 / perSecond;
  const followsAt = lastAt ? lastAt.getTime() + secondsBetween * 1000 : 0;
  return { firstAt: new Date(Math.max(now.getTime(), followsAt)), secondsBetween };
}

/** The oldest delivery of each event in the range. */
async function findReplayed(
  db: Db,
  workspaceId: WorkspaceId,
  subscriptionId: string,
  { since, until, statuses, eventTypes }: ReplayRange,
): Promise<string[]> {
  const byEvent = new Map<string, string>();
  let afterId: string | undefined;
  do {
    const conditions = sql`
      d.subscription_id = ${subscriptionId} and d.workspace_id = ${workspaceId} and d.trigger <> 'test'
      and d.delivery_id >= ${idsFrom(since)} and d.delivery_id < ${idsBefore(until)}
      and d.created_at >= ${since}::timestamptz and d.created_at < ${until}::timestamptz
      ${afterId ? sql`and d.delivery_id > ${afterId}` : sql``}`;
    const ids = { from: afterId ?? idsFrom(since), before: idsBefore(until) };
    const page = {
      columns: sql`d.delivery_id, d.event_id`,
      ...{ conditions, ids, isNewestFirst: false, limit: replayBatchSize },
    };
    const { rows } = await sql<{ delivery_id: string; event_id: string }>`
      ${selectByKind(statuses, eventTypes, page)}`.execute(db);
    for (const row of rows) if (!byEvent.has(row.event_id)) byEvent.set(row.event_id, row.delivery_id);
    afterId = rows.length < replayBatchSize ? undefined : rows.at(-1)?.delivery_id;
  } while (afterId && byEvent.size < replayedDeliveriesMax);
  return [...byEvent.values()].slice(0, replayedDeliveriesMax);
}

/** Claims overdue deliveries for a short time, so that only one of several sweepers starts them. */
export async function claimDueDeliveries(db: Db, now: Date, claimedUntil: Date, limit: number): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    update deliveries set look_after_at = ${claimedUntil}::timestamptz
    where delivery_id = any(array(
      select delivery_id from deliveries where status = 'pending' and look_after_at <= ${now}::timestamptz
      order by look_after_at limit ${limit} for update skip locked
    )) and status = 'pending'
    returning ${dueColumns}`.execute(db);
  return rows;
}

/**
 * Records that the engine has accepted deliveries: they are next checked well after their next attempt is due. If that
 * time is in the past, as with a receiver that is slower than its queue, they are next checked well after now:
 * otherwise the sweep would claim the same rows for ever.
 */
export async function recordStarted(db: Db, deliveryIds: string[], now: Date, graceSeconds: number): Promise<void> {
  await sql`
    update deliveries
    set look_after_at = greatest(next_attempt_at, ${now}::timestamptz) + make_interval(secs => ${graceSeconds})
    where delivery_id = any(array(
      select delivery_id from deliveries where delivery_id = any(${deliveryIds}::uuid[]) and status = 'pending'
      order by event_type, delivery_id for update -- the order in which the deliveries of a subscription are cancelled
    )) and status = 'pending'`.execute(db);
}

/** Deletes up to `limit` deliveries and events before this id, except replayed events. Returns whether none is left. */
export async function deleteEventsBefore(db: Db, beforeId: string, limit: number): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    with gone_deliveries as (
      delete from deliveries where delivery_id < ${beforeId} and delivery_id = any(array(
        select delivery_id from deliveries where delivery_id < ${beforeId} limit ${limit}
      )) returning delivery_id
    ), gone_events as (
      delete from events where event_id < ${beforeId} and event_id = any(array(
        select event_id from events e
        where event_id < ${beforeId} and not exists (
          select from deliveries d
          where d.event_id = e.event_id and d.trigger = 'manual' and d.delivery_id >= ${beforeId}
        )
        limit ${limit}
      )) returning event_id
    )
    select greatest((select count(*) from gone_deliveries), (select count(*) from gone_events))::int as count`.execute(
    db,
  );
  return (rows[0]?.count ?? 0) < limit;
}
