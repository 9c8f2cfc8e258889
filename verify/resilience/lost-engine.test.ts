import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { administer } from '@assay/server/admin/admin.ts';
import { readConfig } from '@assay/server/config/config.ts';
import { down, up } from '@assay/stack/control.ts';
import { environmentOf, temporalNamespace } from '@assay/stack/instance.ts';
import { postgres } from '@assay/stack/parts/postgres.ts';
import { redis } from '@assay/stack/parts/redis.ts';
import { temporal } from '@assay/stack/parts/temporal.ts';
import { sample } from '@assay/testing/media/samples.ts';
import { openScratch } from '@assay/testing/run/scratch.ts';
import { liftedLimits, type TestWorkspace, testEnvironment } from '@assay/testing/service/api.ts';
import { type ServerProcess, startServerProcess } from '@assay/testing/service/api-process.ts';
import { type Client, createClient } from '@assay/testing/service/client.ts';
import { engineTimes } from '@assay/testing/service/engine-times.ts';
import { holdExaminations } from '@assay/testing/service/hold-examinations.ts';
import { asOwner, createDatabase, dropDatabase, makeDatabase } from '@assay/testing/service/make-database.ts';
import { openReceiver } from '@assay/testing/service/receiver.ts';
import { type SubmissionIds, submit } from '@assay/testing/service/submissions.ts';
import { subscribe } from '@assay/testing/service/webhooks.ts';
import { Connection, Client as EngineClient } from '@temporalio/client';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { openFaultsInstance } from './faults-instance.ts';

const inFlightCount = Number(process.env.IN_FLIGHT ?? 12);
const createdAfterDump = Math.ceil(inFlightCount / 10);
/** RECONCILE_SECONDS as in production, or shorter. */
const reconcileSeconds = process.env.RECONCILE_SECONDS ?? '2';
const endMillisMax = 10 * 60_000;

// A separate stack instance, because the engine's databases are dropped here.
const { instance, storage } = openFaultsInstance();
const parts = [postgres, redis, storage, temporal];
await up(instance, parts);
afterAll(() => down(instance, parts));
const scratch = openScratch();
const receiver = await openReceiver();
afterAll(() => receiver.close());

const databaseName = 'assay_lost_engine';
const serverUrl = environmentOf(instance).DATABASE_URL as string;
const databaseUrl = await makeDatabase(serverUrl, databaseName);
const environment: Record<string, string> = {
  ...testEnvironment({ ...environmentOf(instance), ...liftedLimits, ...engineTimes }),
  DATABASE_URL: databaseUrl,
  TMPDIR: scratch,
  WORKER_QUEUES: 'control,video,webhook',
  SWEEP_SECONDS: '1',
  RECONCILE_SECONDS: reconcileSeconds,
  WEBHOOK_ALLOWED_CIDRS: '127.0.0.1',
};
const workspace = (await administer(
  readConfig(environment),
  'workspace create --name lost --tier enterprise'.split(' '),
)) as TestWorkspace;

type Servers = { api: ServerProcess; worker: ServerProcess; client: Client };
async function startServers(): Promise<Servers> {
  const api = await startServerProcess('api', environment);
  const worker = await startServerProcess('worker', environment);
  return { api, worker, client: createClient(api.url, workspace.liveKey) };
}
const stopServers = (signal: NodeJS.Signals) => Promise.all([servers.api.stop(signal), servers.worker.stop(signal)]);
let servers = await startServers();
afterAll(() => stopServers('SIGKILL'));
await subscribe(servers.client, receiver.url);

/** Creates submissions with one video each. While the examination of the first is held, none of them ends. */
async function submitVideos(count: number): Promise<SubmissionIds[]> {
  const { blobPath } = (await servers.client.uploadFile('clip.mp4', sample('clip.mp4'))).body;
  return Promise.all(Array.from({ length: count }, () => submit(servers.client, [blobPath])));
}

async function withEngine<T>(work: (engine: EngineClient) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address: environmentOf(instance).TEMPORAL_ADDRESS as string });
  const engine = new EngineClient({ connection, namespace: temporalNamespace });
  return work(engine).finally(() => connection.close());
}

const terminateAll = (created: SubmissionIds[]) =>
  withEngine(async ({ workflow }) => {
    await Promise.all(created.map(({ workflowId }) => workflow.getHandle(workflowId).terminate()));
  });

async function dropEngine(): Promise<void> {
  await down(instance, [temporal]);
  for (const database of ['temporal', 'temporal_visibility']) await dropDatabase(serverUrl, database);
  await up(instance, [temporal]);
}

async function query<T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return client
    .query<T>(text, values)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

async function countUnfinished(created: SubmissionIds[]): Promise<number> {
  const [row] = await query<{ count: number }>(
    'select count(*)::int from submissions where submission_id = any($1) and completed_at is null',
    [created.map(({ submissionId }) => submissionId)],
  );
  return row?.count ?? 0;
}

async function untilAllEnd(created: SubmissionIds[]): Promise<void> {
  await expect.poll(() => countUnfinished(created), { timeout: endMillisMax, interval: 500 }).toBe(0);
}

/** Expects each asset to be complete in its first attempt, with one charge and one event. */
async function expectOneOfEach(created: SubmissionIds[]): Promise<void> {
  const rows = await query(
    `select a.status, a.attempt,
       (select count(*)::int from credit_entries c where c.asset_id = a.asset_id) as charges,
       (select count(*)::int from events e where e.asset_id = a.asset_id) as events
     from assets a where a.submission_id = any($1)`,
    [created.map(({ submissionId }) => submissionId)],
  );
  expect(rows).toEqual(created.map(() => ({ status: 'complete', attempt: 1, charges: 1, events: 1 })));
}

/** Expects all deliveries with the same event id to have the same body. */
function expectEventsUnchanged(): void {
  const bodies = Map.groupBy(receiver.received, ({ event }) => event.id);
  for (const [id, received] of bodies) expect(new Set(received.map(({ body }) => body)).size, id).toBe(1);
}

describe(`${inFlightCount} submissions in flight all complete with one charge and one event each`, () => {
  test.each([
    ['all workflows are terminated', terminateAll],
    ["the engine's databases are dropped", dropEngine],
  ])(
    'after %s',
    async (_, lose) => {
      const examinations = holdExaminations(scratch);
      const created = await submitVideos(inFlightCount);
      await expect.poll(examinations.count).toBeGreaterThan(0);
      await lose(created);
      examinations.release();
      await untilAllEnd(created);
      await expectOneOfEach(created);
      expectEventsUnchanged();
    },
    endMillisMax,
  );

  test(
    'after the database is restored from a dump taken while they were in flight',
    async () => {
      const examinations = holdExaminations(scratch);
      const created = await submitVideos(inFlightCount);
      await expect.poll(examinations.count).toBeGreaterThan(0);
      const dump = join(scratch, 'dump');
      execFileSync('pg_dump', ['--format=custom', `--file=${dump}`, asOwner(databaseUrl)]);
      const later = await submitVideos(createdAfterDump);
      examinations.release();
      // Some submissions end after the dump and before the restore.
      await expect.poll(() => countUnfinished(created)).toBeLessThan(inFlightCount);

      await stopServers('SIGTERM');
      await dropDatabase(serverUrl, databaseName);
      await createDatabase(serverUrl, databaseName);
      execFileSync('pg_restore', ['--dbname', databaseUrl, dump]);
      servers = await startServers();
      await untilAllEnd(created);
      await expectOneOfEach(created);

      for (const { submissionId } of later)
        expect((await servers.client.get(`/submissions/${submissionId}`)).status).toBe(404);
      await untilClosed(later);
      const laterIds = later.flatMap(({ assets }) => assets.map(({ assetId }) => assetId));
      expect(await query('select from credit_entries where asset_id = any($1)', [laterIds])).toEqual([]);
    },
    endMillisMax,
  );
});

async function untilClosed(created: SubmissionIds[]): Promise<void> {
  await withEngine(async ({ workflow }) => {
    for (const { workflowId } of created)
      while ((await workflow.getHandle(workflowId).describe()).status.name === 'RUNNING') await sleep(500);
  });
}
