import type { EventType } from '@assay/contract/event.ts';
import { deliveryAttemptsMax, failuresBeforeDisabledMin, replayedDeliveriesMax } from '@assay/contract/limits.ts';
import type { Attempt, Delivery, DisabledReason } from '@assay/contract/webhook.ts';
import { sql } from 'kysely';
import type { WorkspaceId } from '../access/caller.ts';
import type { Db } from '../handles/db.ts';
import { idFloor } from '../handles/id-floor.ts';
import type { SecretRow } from './store.ts';

/** A delivery that the engine is to have. Ids alone: what the engine is told, it keeps. */
export type DueDelivery = { workspaceId: WorkspaceId; deliveryId: string; subscriptionId: string };

export const dueColumns = sql`
  workspace_id as "workspaceId", delivery_id as "deliveryId", subscription_id as "subscriptionId"`;

export type DeliveryRow = {
  delivery_id: string;
  event_id: string;
  event_type: EventType;
  subscription_id: string;
  submission_id: string | null;
  asset_id: string | null;
  trigger: Attempt['trigger'];
  status: Delivery['status'];
  attempt_count: number;
  max_attempts: number;
  next_attempt_at: Date | null;
  last_response_status: number | null;
  livemode: boolean;
  created_at: Date;
  completed_at: Date | null;
};

const columns = sql`
  d.delivery_id, d.event_id, d.event_type, d.subscription_id, d.submission_id, d.asset_id, d.trigger, d.status,
  d.attempt_count, d.max_attempts, d.next_attempt_at, d.last_response_status, d.livemode, d.created_at, d.completed_at`;

export type DeliveryFilter = {
  statuses: Delivery['status'][] | undefined;
  eventTypes: EventType[] | undefined;
  createdAfter: Date | undefined;
  createdBefore: Date | undefined;
  /** Where the page before ended. */
  beforeId: string | undefined;
  limit: number;
};

// An id is made a moment after the time that a delivery says, perhaps by another clock. A range of time is a range of
// ids with some room on both sides, for the index, and then exact.
const idSlackMillis = 60_000;
const idsFrom = (moment: Date) => idFloor(new Date(moment.getTime() - idSlackMillis));
const idsBefore = (moment: Date) => idFloor(new Date(moment.getTime() + idSlackMillis));

export async function listDeliveries(
  db: Db,
  workspaceId: WorkspaceId,
  subscriptionId: string,
  { statuses, eventTypes, createdAfter, createdBefore, beforeId, limit }: DeliveryFilter,
): Promise<DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`
    select ${columns} from deliveries d
    where d.subscription_id = ${subscriptionId} and d.workspace_id = ${workspaceId}
      ${statuses ? sql`and d.status = any(${statuses}::text[])` : sql``}
      ${eventTypes ? sql`and d.event_type = any(${eventTypes}::text[])` : sql``}
      ${createdAfter ? sql`and d.delivery_id >= ${idsFrom(createdAfter)} and d.created_at > ${createdAfter}` : sql``}
      ${createdBefore ? sql`and d.delivery_id < ${idsBefore(createdBefore)} and d.created_at < ${createdBefore}` : sql``}
      ${beforeId ? sql`and d.delivery_id < ${beforeId}` : sql``}
    order by d.delivery_id desc limit ${limit}`.execute(db);
  return rows;
}

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
    url: string | null;
    isActive: boolean;
    maxRequestsPerSecond: number | null;
    consecutiveFailureCount: number;
  };

/** What is still to be sent, with all that it takes; nothing when it is over. No url: the subscription is gone. */
export async function findPendingDelivery(
  db: Db,
  workspaceId: WorkspaceId,
  deliveryId: string,
): Promise<PendingDelivery | undefined> {
  const { rows } = await sql<PendingDelivery>`
    select d.delivery_id as "deliveryId", d.subscription_id as "subscriptionId", d.event_id as "eventId", d.trigger,
      d.attempt_count, d.max_attempts, d.next_attempt_at as "nextAttemptAt", e.body, s.url, s.secret,
      s.previous_secret as "previousSecret", s.previous_secret_expires_at as "previousSecretExpiresAt",
      s.disabled_reason is null as "isActive", s.max_requests_per_second as "maxRequestsPerSecond",
      s.consecutive_failure_count as "consecutiveFailureCount"
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
  /** For what the subscription is given up at once. */
  disable: Extract<DisabledReason, 'gone' | 'blocked_address'> | null;
  /** It is given up too if it has failed ever since before this moment. */
  failingSinceMax: Date;
  now: Date;
};

/**
 * Once per attempt: a worker that was held up and comes late writes nothing. Says for what reason the subscription is
 * no longer active, if it is not.
 */
export async function recordAttempt(
  db: Db,
  workspaceId: WorkspaceId,
  { deliveryId, attempt, status, nextAttemptAt, lookAfterAt, disable, failingSinceMax, now }: AttemptRecord,
): Promise<DisabledReason | null> {
  const isSuccess = attempt.errorCode === null;
  // Locked before the delivery, as by everyone who changes both: in the other order they could wait for each other.
  const subscription = sql`
    subscription as (
      select s.subscription_id from subscriptions s
      where s.subscription_id = (
        select subscription_id from deliveries where delivery_id = ${deliveryId} and workspace_id = ${workspaceId}
      ) ${isSuccess ? isNews(now) : sql``}
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
        and (select count(*) from subscription) >= 0 -- also without one, but after it
      returning delivery_id
    )`;
  const outcome = isSuccess
    ? sql`last_success_at = ${now}::timestamptz, consecutive_failure_count = 0, failing_since = null`
    : sql`
        consecutive_failure_count = consecutive_failure_count + 1,
        failing_since = coalesce(failing_since, ${now}::timestamptz),
        disabled_at = case when disabled_at is null and (${reason(disable, failingSinceMax)}) is not null
          then ${now}::timestamptz else disabled_at end,
        disabled_reason = coalesce(disabled_reason, ${reason(disable, failingSinceMax)})`;
  const { rows } = await sql<{ disabledReason: DisabledReason | null }>`
    with ${subscription}, ${attempted}
    update subscriptions s set last_delivery_at = ${now}::timestamptz, ${outcome}
    from subscription, attempted where s.subscription_id = subscription.subscription_id
    returning s.disabled_reason as "disabledReason"`.execute(db);
  return rows[0]?.disabledReason ?? null;
}

// One success after the other says nothing new, and all would wait for the one row.
function isNews(now: Date) {
  const moment = new Date(now.getTime() - 1000);
  return sql`and (s.consecutive_failure_count > 0 or s.last_success_at is null or s.last_success_at < ${moment}::timestamptz)`;
}

function reason(disable: DisabledReason | null, failingSinceMax: Date) {
  return sql`
    case when ${disable}::text is not null then ${disable}::text
      when consecutive_failure_count + 1 >= ${failuresBeforeDisabledMin} and failing_since <= ${failingSinceMax}::timestamptz
        then 'consecutive_failures'
    end`;
}

/** What is still to be sent, of one delivery or to a subscription, is not sent any more. */
export async function cancelPending(
  db: Db,
  workspaceId: WorkspaceId,
  which: { deliveryId: string } | { subscriptionId: string },
  now: Date,
): Promise<void> {
  const isMeant =
    'deliveryId' in which ? sql`delivery_id = ${which.deliveryId}` : sql`subscription_id = ${which.subscriptionId}`;
  await sql`
    update deliveries set status = 'cancelled', completed_at = ${now}::timestamptz, next_attempt_at = null
    where ${isMeant} and workspace_id = ${workspaceId} and status = 'pending'`.execute(db);
}

/** A test, once it is over. */
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

const replayValues = (now: Date, lookAfterAt: Date) => sql`
  uuid_v7(), workspace_id, subscription_id, event_id, event_type, livemode, submission_id, asset_id, 'manual',
  ${deliveryAttemptsMax}::int, ${now}::timestamptz, ${lookAfterAt}::timestamptz, ${now}::timestamptz`;

/** Anew, from the start of the schedule: the event of one delivery. */
export async function insertReplay(
  db: Db,
  workspaceId: WorkspaceId,
  deliveryId: string,
  now: Date,
  lookAfterAt: Date,
): Promise<DeliveryRow> {
  const { rows } = await sql<DeliveryRow>`
    insert into deliveries as d (${replayColumns})
    select ${replayValues(now, lookAfterAt)}
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

/** Each event of the range once, oldest first; says how many. The next sweep hands them to the engine. */
export async function insertReplays(
  db: Db,
  workspaceId: WorkspaceId,
  subscriptionId: string,
  { since, until, statuses, eventTypes }: ReplayRange,
  now: Date,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with matching as (
      select distinct on (event_id) * from deliveries
      where subscription_id = ${subscriptionId} and workspace_id = ${workspaceId}
        and delivery_id >= ${idsFrom(since)} and delivery_id < ${idsBefore(until)}
        and created_at >= ${since}::timestamptz and created_at < ${until}::timestamptz
        and status = any(${statuses}::text[]) and trigger <> 'test'
        ${eventTypes ? sql`and event_type = any(${eventTypes}::text[])` : sql``}
      order by event_id limit ${replayedDeliveriesMax}
    ), replayed as (
      insert into deliveries (${replayColumns})
      select ${replayValues(now, now)}
      from matching
      returning delivery_id
    )
    select count(*)::int as count from replayed`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Those that nobody has looked after: claimed for a moment, so that of several sweepers one takes them. */
export async function claimDueDeliveries(db: Db, now: Date, claimedUntil: Date, limit: number): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    update deliveries set look_after_at = ${claimedUntil}::timestamptz
    where delivery_id in (
      select delivery_id from deliveries where status = 'pending' and look_after_at <= ${now}::timestamptz
      order by look_after_at limit ${limit} for update skip locked
    ) and status = 'pending'
    returning ${dueColumns}`.execute(db);
  return rows;
}

/** The engine has them: they need no looking after until long after their next attempt should have been. */
export async function rememberStarted(db: Db, deliveryIds: string[], graceSeconds: number): Promise<void> {
  await sql`
    update deliveries set look_after_at = next_attempt_at + make_interval(secs => ${graceSeconds})
    where delivery_id = any(${deliveryIds}::uuid[]) and status = 'pending' and attempt_count = 0`.execute(db);
}

/** What happened before this id and was not sent again since is forgotten, some at a time; says whether that was all. */
export async function deleteEventsBefore(db: Db, beforeId: string, limit: number): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    with old_deliveries as (
      select delivery_id from deliveries where delivery_id < ${beforeId} limit ${limit}
    ), gone_deliveries as (
      delete from deliveries d using old_deliveries o where d.delivery_id = o.delivery_id returning d.delivery_id
    ), old_events as (
      select event_id from events e
      where event_id < ${beforeId} and not exists (
        select from deliveries d
        where d.event_id = e.event_id and d.trigger = 'manual' and d.delivery_id >= ${beforeId}
      )
      limit ${limit}
    ), gone_events as (
      delete from events e using old_events o where e.event_id = o.event_id returning e.event_id
    )
    select greatest((select count(*) from gone_deliveries), (select count(*) from gone_events))::int as count`.execute(
    db,
  );
  return (rows[0]?.count ?? 0) < limit;
}
