import { openTestApi } from '@assay/testing/service/api.ts';
import { openOwnerDb } from '@assay/testing/service/owner-db.ts';
import { sql } from 'kysely';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import { addBacklogGauges } from './backlog-store.ts';

const api = await openTestApi();
const ownerDb = openOwnerDb();

test('a gauge of waiting work that cannot be read is left out and counted, and the others stay', async () => {
  const { db } = api.handles;
  await sql`alter table runs_to_start rename to runs_elsewhere`.execute(ownerDb);
  onTestFinished(async () => void (await sql`alter table runs_elsewhere rename to runs_to_start`.execute(ownerDb)));
  const metrics = new Registry();
  addBacklogGauges({ metrics, db, log: pino({ level: 'silent' }) });
  const text = await metrics.metrics();
  expect(text).toContain('assay_submissions_unfinished 0');
  expect(text).toContain('assay_webhook_delivery_overdue_seconds 0');
  expect(text).not.toContain('assay_runs_to_start 0');
  expect(await metrics.getSingleMetricAsString('assay_job_failures_total')).toContain('{job="read-backlog"} 1');
});
