import { setTimeout as sleep } from 'node:timers/promises';
import { administer } from '@assay/server/admin/admin.ts';
import { readConfig } from '@assay/server/config/config.ts';
import { down, startAgain, storageParts, up } from '@assay/stack/control.ts';
import { environmentOf, openInstance } from '@assay/stack/instance.ts';
import type { Part } from '@assay/stack/part.ts';
import { postgres } from '@assay/stack/parts/postgres.ts';
import { redis } from '@assay/stack/parts/redis.ts';
import { temporal } from '@assay/stack/parts/temporal.ts';
import { pidOf } from '@assay/stack/process.ts';
import { descendantsOf, isAlive } from '@assay/testing/faults/process-table.ts';
import { sample } from '@assay/testing/media/samples.ts';
import { openScratch } from '@assay/testing/run/scratch.ts';
import { liftedLimits, type TestWorkspace, testEnvironment } from '@assay/testing/service/api.ts';
import { startServerProcess } from '@assay/testing/service/api-process.ts';
import { createClient } from '@assay/testing/service/client.ts';
import { engineTimes } from '@assay/testing/service/engine-times.ts';
import { holdExaminations } from '@assay/testing/service/hold-examinations.ts';
import { makeDatabase } from '@assay/testing/service/make-database.ts';
import { openReceiver } from '@assay/testing/service/receiver.ts';
import { type SubmissionIds, submit, untilFinished } from '@assay/testing/service/submissions.ts';
import { subscribe } from '@assay/testing/service/webhooks.ts';
import pg from 'pg';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { signalOf, type Target } from './chaos/load/schedule.ts';

// The stack instance of the chaos run, because its parts are killed here; faults.test.ts stops the parts of its own
// instance at the same time.
const storageName = inject('environment').OBJECT_STORE === 's3' ? 's3' : 'azure';
const instance = { ...openInstance('chaos'), storage: storageName } as const;
const parts = [postgres, redis, storageParts[storageName], temporal];
await up(instance, parts);
afterAll(() => down(instance, parts));
const scratch = openScratch();
const receiver = await openReceiver();
afterAll(() => receiver.close());

const databaseUrl = await makeDatabase(environmentOf(instance).DATABASE_URL as string, 'assay_killed');
const environment: Record<string, string> = {
  ...testEnvironment({ ...environmentOf(instance), ...liftedLimits, ...engineTimes }),
  WORKER_QUEUES: 'control,video,webhook',
  DATABASE_URL: databaseUrl,
  TMPDIR: scratch,
  SWEEP_SECONDS: '1',
  RECONCILE_SECONDS: '2',
  WEBHOOK_ALLOWED_CIDRS: '127.0.0.1',
};
const create = 'workspace create --name killed --tier enterprise'.split(' ');
const { liveKey } = (await administer(readConfig(environment), create)) as TestWorkspace;

async function startServers() {
  const [api, worker] = await Promise.all([
    startServerProcess('api', environment),
    startServerProcess('worker', environment),
  ]);
  return { api, worker, client: createClient(api.url, liveKey) };
}
let servers = await startServers();
const killServers = () => Promise.all([servers.api.stop('SIGKILL'), servers.worker.stop('SIGKILL')]);
afterAll(killServers);
await subscribe(servers.client, receiver.url);
const { blobPath } = (await servers.client.uploadFile('clip.mp4', sample('clip.mp4'))).body;

/** Kills the part and waits until its child processes have ended too: until then, a new PostgreSQL could not start. */
async function kill({ name }: Part): Promise<void> {
  const pid = pidOf(instance, name) as number;
  const family = descendantsOf(pid);
  process.kill(pid, signalOf(name as Target));
  while (pidOf(instance, name) || family.some(isAlive)) await sleep(20);
}

/** Expects each asset to be complete in its first attempt, with one charge and one delivered event. */
async function expectOneOfEach(created: SubmissionIds[]): Promise<void> {
  for (const { submissionId } of created) await untilFinished(servers.client, submissionId);
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  const ask = async () => {
    const { rows } = await db.query(
      `select a.status, a.attempt,
        (select count(*)::int from credit_entries c where c.asset_id = a.asset_id) as charges,
        (select array_agg(d.status) from events e join deliveries d using (event_id)
          where e.asset_id = a.asset_id) as deliveries
      from assets a where a.submission_id = any($1)`,
      [created.map(({ submissionId }) => submissionId)],
    );
    return rows;
  };
  const one = { status: 'complete', attempt: 1, charges: 1, deliveries: ['succeeded'] };
  await expect
    .poll(ask)
    .toEqual(created.map(() => one))
    .finally(() => db.end());
  const received = Map.groupBy(receiver.received, ({ event }) => event.id);
  for (const [id, requests] of received) expect(new Set(requests.map(({ body }) => body)).size, id).toBe(1);
}

describe('every acknowledged submission settles once', () => {
  test('when Temporal is killed during an examination and stays down for a while', async () => {
    const examinations = holdExaminations(scratch);
    const examined = await submit(servers.client, [blobPath]);
    await expect.poll(examinations.count).toBe(1);
    await kill(temporal);
    const meanwhile = await submit(servers.client, [blobPath]);
    examinations.release();
    await startAgain(instance, temporal);
    await expectOneOfEach([examined, meanwhile]);
    expect([servers.api.child.exitCode, servers.worker.child.exitCode]).toEqual([null, null]);
  });

  test('when the API, the worker and every part of the stack are killed at once during an examination', async () => {
    const examinations = holdExaminations(scratch);
    const examined = await submit(servers.client, [blobPath]);
    await expect.poll(examinations.count).toBe(1);
    const waiting = await submit(servers.client, [blobPath]);
    await Promise.all([killServers(), ...parts.map(kill)]);
    examinations.release();
    for (const part of parts) await startAgain(instance, part);
    servers = await startServers();
    await expectOneOfEach([examined, waiting]);
  });
});
