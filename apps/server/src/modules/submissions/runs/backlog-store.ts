import { sql } from 'kysely';
import { Gauge } from 'prom-client';
import type { Handles } from '#platform/handles.ts';
import { jobFailures } from '#platform/mechanisms/metrics.ts';
import { sharedFor } from '#platform/mechanisms/shared-for.ts';

const cacheMillis = 5000;
/** No more is counted, so that a long backlog does not take long to count. */
const countedMax = 100_000;

const countOf = (rows: ReturnType<typeof sql>) =>
  sql`select count(*)::float8 as value from (select ${rows} limit ${countedMax}) as counted`;

/** How many seconds ago the earliest of these times was; 0 if there is none or if it is in the future. */
const secondsSince = (time: string, rows: ReturnType<typeof sql>) => sql`
  select coalesce((
    select greatest(extract(epoch from now() - ${sql.ref(time)}), 0)::float8 ${rows} limit 1
  ), 0) as value`;

/** Each is read from an index. */
const figures = {
  assay_submissions_unfinished: [
    'Submissions that are not finished',
    countOf(sql`from submissions where completed_at is null`),
  ],
  assay_submissions_oldest_unfinished_seconds: [
    'Age of the oldest unfinished submission',
    // In the order of the ids, which is that of their creation, because the months are read in it.
    secondsSince('created_at', sql`from submissions where completed_at is null order by submission_id`),
  ],
  assay_runs_to_start: ['Runs that were committed but not yet started in the engine', countOf(sql`from runs_to_start`)],
  assay_blobs_due: [
    'Stored files that are due for a retention check',
    countOf(sql`from blobs where next_look_at <= now() and next_look_at < 'infinity'`),
  ],
  assay_months_ahead: [
    'Monthly partitions that exist for coming months',
    countOf(sql`from kept_months() as month where month > now() at time zone 'UTC'`),
  ],
  assay_webhook_deliveries_pending: [
    'Webhook deliveries that are due now or later',
    countOf(sql`from deliveries where status = 'pending'`),
  ],
  assay_webhook_delivery_overdue_seconds: [
    'How long the oldest pending delivery is overdue',
    secondsSince('next_attempt_at', sql`from deliveries where status = 'pending' order by next_attempt_at`),
  ],
} as const;

/**
 * Gauges of waiting work in all workspaces, read when scraped and cached for a few seconds. A figure that cannot be read
 * is left out, counted and logged; the others stay.
 */
export function addBacklogGauges({ metrics, db, log }: Pick<Handles, 'metrics' | 'db' | 'log'>): void {
  for (const [name, [help, query]] of Object.entries(figures)) {
    const read = sharedFor(cacheMillis, async () => {
      try {
        const { rows } = await query.execute(db);
        return (rows[0] as { value: number }).value;
      } catch (error) {
        jobFailures(metrics).inc({ job: 'read-backlog' });
        log.warn({ err: error, metric: name }, 'a gauge of waiting work could not be read');
        return undefined;
      }
    });
    new Gauge({
      name,
      help,
      registers: [metrics],
      async collect() {
        const value = await read();
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
  }
}
