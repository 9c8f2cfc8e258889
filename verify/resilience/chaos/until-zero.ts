import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { World } from './world.ts';

/** Counts open submissions, including those that no client knows. */
export const unfinishedWorkQuery = `select (select count(*) from submissions where completed_at is null)
  + (select count(*) from runs_to_start) + (select count(*) from runs_to_cancel) as count`;
export const pendingDeliveriesQuery = `select count(*) from deliveries where status = 'pending'`;
export const missingEventsQuery = (countMin: number) =>
  `select greatest(0, ${Math.ceil(countMin)} - count(*)) as count from events`;
/** Counts blobs that are due for their next retention action. */
export const dueBlobsQuery = 'select count(*) from blobs where next_look_at <= now()';

/** Waits until the query returns 0, for a limited time: the checks find what is left. */
export async function untilZero(world: World, countQuery: string, deadline: AbortSignal): Promise<void> {
  for (; !deadline.aborted; await sleep(500)) {
    const count = await queryCount(world, countQuery).catch(() => undefined); // the database has not recovered yet
    if (count === 0) return;
  }
}

export async function queryCount({ config }: World, countQuery: string): Promise<number> {
  const db = new pg.Client({
    connectionString: config.DATABASE_URL,
    connectionTimeoutMillis: 2000,
    query_timeout: 10_000,
  });
  db.on('error', () => {}); // a connection lost during a query is reported by the query itself
  try {
    await db.connect();
    const { rows } = await db.query(countQuery);
    return Number(rows[0]?.count ?? 0);
  } finally {
    await db.end().catch(() => {});
  }
}
