import { setTimeout as sleep } from 'node:timers/promises';
import type { ReceivedRequest } from '@assay/testing/service/receiver.ts';
import pg from 'pg';

const pauseMillis = 500;

const openWorkQueries = {
  'submissions not finished': 'select count(*) from submissions where completed_at is null',
  'runs not started or cancelled':
    'select (select count(*) from runs_to_start) + (select count(*) from runs_to_cancel) as count',
  'deliveries pending': `select count(*) from deliveries where status = 'pending'`,
};
/**
 * Counts mistakes: every event must go to every subscription, and every attempt at a live asset must have one event.
 */
const mistakeQueries = {
  'assets failed other than by a cancellation': `
    select count(*) from assets where status = 'failed' and error_type <> 'cancelled'`,
  'attempts at live assets without exactly one event': `
    select count(*) from assets a join submissions s using (submission_id)
    where s.mode = 'live' and a.attempt <> (select count(*) from events e where e.asset_id = a.asset_id)`,
  'events without a delivery to each subscription': `
    select count(*) from events e
    where (select count(*) from deliveries d where d.event_id = e.event_id) <> (select count(*) from subscriptions)`,
  'deliveries that did not succeed': `select count(*) from deliveries where status not in ('pending', 'succeeded')`,
};
const totalQueries = {
  submissions: 'select count(*) from submissions',
  'assets that were retried': 'select count(*) from assets where attempt > 1',
  events: 'select count(*) from events',
  deliveries: 'select count(*) from deliveries',
};

export type Counts = Record<string, number>;

/** Waits until no work is left, for a limited time; then counts remaining work, mistakes and totals. */
export async function awaitFinalCounts(url: string, millisMax: number) {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  const countAll = async (questions: Record<string, string>): Promise<Counts> => {
    const counts: Counts = {};
    for (const [name, question] of Object.entries(questions))
      counts[name] = Number((await db.query(question)).rows[0].count);
    return counts;
  };
  try {
    let left = await countAll(openWorkQueries);
    for (
      const deadline = Date.now() + millisMax;
      sum(left) > 0 && Date.now() < deadline;
      left = await countAll(openWorkQueries)
    )
      await sleep(pauseMillis);
    const { rows } = await db.query<{ event_id: string; path: string }>(`
      select d.event_id, substring(s.url from '[^/]*$') as path from deliveries d join subscriptions s using (subscription_id)
      where d.status = 'succeeded'`);
    return {
      left,
      mistakes: await countAll(mistakeQueries),
      totals: await countAll(totalQueries),
      delivered: rows.map(({ event_id, path }) => deliveryName(path, event_id)),
    };
  } finally {
    await db.end();
  }
}

const sum = (counts: Counts) => Object.values(counts).reduce((total, count) => total + count, 0);
const deliveryName = (path: string, eventId: string) => `${path} ${eventId}`;

/** Counts deliveries that succeeded according to the database but never reached the receiver. */
export function countUnreceived(delivered: string[], received: ReceivedRequest[]): number {
  const known = new Set(received.map(({ path, headers }) => deliveryName(path.slice(1), headers['webhook-id'] ?? '')));
  return delivered.filter((name) => !known.has(name)).length;
}
