import { deliveryAttemptsMax } from '@assay/contract/limits.ts';
import type { EventType } from '@assay/contract/schemas/event.ts';
import { sql } from 'kysely';
import type { WorkspaceId } from '#call/caller.ts';
import type { Db } from '#platform/postgres/db.ts';
import { type DueDelivery, dueColumns } from '../deliveries/delivery-store.ts';

export type NewEvent = {
  eventId: string;
  type: EventType;
  livemode: boolean;
  submissionId: string;
  /** Null for an event about a submission. */
  assetId: string | null;
  body: string;
};

/**
 * Inserts events, and a delivery for each active subscription to them, in one statement of the transaction that changes
 * the state. So no event is lost, and none is sent before the change is committed.
 */
export async function insertEvents(
  db: Db,
  workspaceId: WorkspaceId,
  events: NewEvent[],
  { now, lookAfterAt }: { now: Date; lookAfterAt: Date },
): Promise<DueDelivery[]> {
  const column = <Name extends keyof NewEvent>(name: Name) => events.map((event) => event[name]);
  const { rows } = await sql<DueDelivery>`
    with new_events as (
      insert into events (event_id, type, livemode, submission_id, asset_id, body, workspace_id)
      select *, ${workspaceId}::uuid
      from unnest(
        ${column('eventId')}::uuid[], ${column('type')}::text[], ${column('livemode')}::boolean[],
        ${column('submissionId')}::uuid[], ${column('assetId')}::uuid[], ${column('body')}::text[]
      )
      returning *
    )
    insert into deliveries (
      delivery_id, workspace_id, subscription_id, event_id, event_type, livemode, submission_id, asset_id, trigger,
      max_attempts, next_attempt_at, look_after_at, created_at
    )
    select uuid_v7(), e.workspace_id, s.subscription_id, e.event_id, e.type, e.livemode, e.submission_id, e.asset_id,
      'automatic', ${deliveryAttemptsMax}::int, ${now}::timestamptz, ${lookAfterAt}::timestamptz, ${now}::timestamptz
    from new_events e join subscriptions s on s.workspace_id = e.workspace_id
    where s.disabled_reason is null and e.type = any(s.event_types)
      and (s.mode <> 'sandbox' or not e.livemode) -- fired events go to every mode (§4.10)
    returning ${dueColumns}`.execute(db);
  return rows;
}

export type EventPosition = { writtenBy: string; eventId: string };

export type StoredEvent = EventPosition & { type: EventType; body: string };

/**
 * Lists the events of a workspace after this position, in the order of their positions. Contains only events of
 * transactions before the oldest one in progress, which may still commit an event with an earlier position. `end` is
 * the position up to which the list is complete.
 */
export async function listEventsAfter(db: Db, workspaceId: WorkspaceId, position: EventPosition, limit: number) {
  const { rows } = await sql<{ horizon: string; events: StoredEvent[] | null }>`
    select ${horizon} as horizon, (
      select json_agg(json_build_object('eventId', event_id, 'writtenBy', written_by::text, 'type', type, 'body', body)
        order by written_by, event_id)
      from (
        select event_id, written_by, type, body from events
        where workspace_id = ${workspaceId}
          and (written_by, event_id) > (${position.writtenBy}::xid8, ${position.eventId}::uuid)
          and written_by < pg_snapshot_xmin(pg_current_snapshot())
        order by written_by, event_id limit ${limit}
      ) as found
    ) as events`.execute(db);
  const events = rows[0]?.events ?? [];
  const last = events.length === limit ? events.at(-1) : undefined;
  return { events, end: last ?? endOfTransaction(rows[0]?.horizon) };
}

/** Lists all visible events, even while an older transaction may still commit others. */
export async function listEventIdsAfter(db: Db, workspaceId: WorkspaceId, position: EventPosition): Promise<string[]> {
  const { rows } = await sql<{ eventId: string }>`
    select event_id as "eventId" from events
    where workspace_id = ${workspaceId}
      and (written_by, event_id) > (${position.writtenBy}::xid8, ${position.eventId}::uuid)`.execute(db);
  return rows.map(({ eventId }) => eventId);
}

/** The position after all events of transactions before the oldest one in progress. */
export async function findEventPosition(db: Db): Promise<EventPosition> {
  const { rows } = await sql<{ horizon: string }>`select ${horizon} as horizon`.execute(db);
  return endOfTransaction(rows[0]?.horizon);
}

const horizon = sql`(pg_snapshot_xmin(pg_current_snapshot())::text::numeric - 1)::text`;

function endOfTransaction(writtenBy = '0'): EventPosition {
  return { writtenBy, eventId: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
}

export function isPositionBefore(a: EventPosition, b: EventPosition): boolean {
  const [left, right] = [BigInt(a.writtenBy), BigInt(b.writtenBy)];
  return left < right || (left === right && a.eventId < b.eventId);
}

/** Deletes the events of a submission and their deliveries. */
export async function removeEventRows(db: Db, workspaceId: WorkspaceId, submissionId: string): Promise<void> {
  await sql`
    with gone_deliveries as (
      delete from deliveries where submission_id = ${submissionId} and workspace_id = ${workspaceId}
    )
    delete from events where submission_id = ${submissionId} and workspace_id = ${workspaceId}`.execute(db);
}
