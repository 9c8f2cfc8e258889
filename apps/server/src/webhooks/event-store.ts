import type { EventType } from '@assay/contract/event.ts';
import { deliveryAttemptsMax } from '@assay/contract/limits.ts';
import { sql } from 'kysely';
import type { WorkspaceId } from '../access/caller.ts';
import type { Db } from '../handles/db.ts';
import { type DueDelivery, dueColumns } from './delivery-store.ts';

export type NewEvent = {
  eventId: string;
  type: EventType;
  livemode: boolean;
  submissionId: string;
  assetId: string;
  body: string;
};

/**
 * Events, and a delivery to each active subscription that wants it: one statement, in the transaction that makes them
 * true. So none is lost, and none comes before its state.
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
      and s.mode in ('all', case when e.livemode then 'live' else 'sandbox' end)
    returning ${dueColumns}`.execute(db);
  return rows;
}

export type EventPlace = { writtenBy: string; eventId: string };

/**
 * The events of a workspace after this place, in the order in which they became visible. Only those of transactions
 * before the oldest one that still goes on: a later one may yet show an event that belongs before.
 */
export async function listEventsAfter(db: Db, workspaceId: WorkspaceId, place: EventPlace, limit: number) {
  const { rows } = await sql<EventPlace & { type: EventType; body: string }>`
    select event_id as "eventId", written_by::text as "writtenBy", type, body from events
    where workspace_id = ${workspaceId}
      and (written_by, event_id) > (${place.writtenBy}::xid8, ${place.eventId}::uuid)
      and written_by < pg_snapshot_xmin(pg_current_snapshot())
    order by written_by, event_id limit ${limit}`.execute(db);
  return rows;
}

/** Where somebody stands who has seen all that is there now. */
export async function findEventPlace(db: Db): Promise<EventPlace> {
  const { rows } = await sql<{ writtenBy: string }>`
    select (pg_snapshot_xmin(pg_current_snapshot())::text::numeric - 1)::text as "writtenBy"`.execute(db);
  return { writtenBy: rows[0]?.writtenBy ?? '0', eventId: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
}
