import { sql } from 'kysely';
import { Gauge } from 'prom-client';
import { sharedFor } from '#platform/mechanisms/shared-for.ts';
import type { Metrics } from '#platform/metrics.ts';
import type { Db } from '#platform/postgres/db.ts';

/** Maps each figure to the name and help text of its gauge. */
const gauges = {
  unfinishedSubmissions: ['assay_submissions_unfinished', 'Submissions that are not finished'],
  oldestUnfinishedSeconds: ['assay_submissions_oldest_unfinished_seconds', 'Age of the oldest unfinished submission'],
  runsToStart: ['assay_runs_to_start', 'Runs that were committed but not yet started in the engine'],
  blobsDue: ['assay_blobs_due', 'Stored files that are due for a retention check'],
  monthsAhead: ['assay_months_ahead', 'Monthly partitions that exist for coming months'],
  pendingDeliveries: ['assay_webhook_deliveries_pending', 'Webhook deliveries that are due now or later'],
  oldestDueDeliverySeconds: [
    'assay_webhook_delivery_overdue_seconds',
    'How long the oldest pending delivery is overdue',
  ],
} as const;
type Figure = keyof typeof gauges;
type Backlog = Record<Figure, number>;

const cacheMillis = 5000;

/**
 * Gauges of waiting work in all workspaces, read when scraped and cached for a few seconds. If the database does not
 * respond, they are left out; readiness shows why.
 */
export function addBacklogGauges(metrics: Metrics, db: Db): void {
  const read = sharedFor(cacheMillis, () => readBacklog(db).catch(() => undefined));
  for (const [figure, [name, help]] of Object.entries(gauges)) {
    new Gauge({
      name,
      help,
      registers: [metrics],
      async collect() {
        const backlog = await read();
        if (backlog) this.set(backlog[figure as Figure]);
        else this.remove();
      },
    });
  }
}

/** Each figure is read from an index. */
async function readBacklog(db: Db): Promise<Backlog> {
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
