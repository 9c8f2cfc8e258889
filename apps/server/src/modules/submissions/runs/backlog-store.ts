import { sql } from 'kysely';
import type { Db } from '#platform/postgres/db.ts';

export type Backlog = {
  unfinishedSubmissions: number;
  oldestUnfinishedSeconds: number;
  runsToStart: number;
  blobsDue: number;
  monthsAhead: number;
  pendingDeliveries: number;
  oldestDueDeliverySeconds: number;
};

/** Figures of waiting work in all workspaces, each read from an index. */
export async function readBacklog(db: Db): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    select
      (select count(*)::int from submissions where completed_at is null) as "unfinishedSubmissions",
      (
        select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 from submissions
        where completed_at is null
      ) as "oldestUnfinishedSeconds",
      (select count(*)::int from runs_to_start) as "runsToStart",
      (select count(*)::int from blobs where next_look_at <= now() and next_look_at < 'infinity') as "blobsDue",
      (select count(*)::int from kept_months() as month where month > now() at time zone 'UTC') as "monthsAhead",
      (select count(*)::int from deliveries where status = 'pending') as "pendingDeliveries",
      (
        select greatest(coalesce(extract(epoch from now() - min(next_attempt_at)), 0), 0)::float8 from deliveries
        where status = 'pending'
      ) as "oldestDueDeliverySeconds"`.execute(db);
  return rows[0] as Backlog;
}
