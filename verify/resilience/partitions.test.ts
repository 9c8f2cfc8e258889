import { setTimeout } from 'node:timers/promises';
import { liftedLimits, openTestApi, testEnvironment } from '@assay/testing/service/api.ts';
import { type ServerProcess, startServerProcess } from '@assay/testing/service/api-process.ts';
import { type Client, createClient } from '@assay/testing/service/client.ts';
import { engineTimes } from '@assay/testing/service/engine-times.ts';
import { dropDatabase, makeDatabase } from '@assay/testing/service/make-database.ts';
import { type SubmissionIds, submit, untilFinished, uploadText } from '@assay/testing/service/submissions.ts';
import { storageUrlOf } from '@assay/testing/storage/blobs.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { createMixedTraffic, formatSeen } from './mixed-traffic.ts';
import { openPartition, type Partition, whyNoPartition } from './partition.ts';

/** `PARTITION_SECONDS=20` in the nightly run. */
const { PARTITION_SECONDS } = process.env;
const responseMillisMax = 5000;
const roundMillis = 1000;
const startMillisMax = 120_000;
const recoveryMillisMax = 60_000;
const settlingMillisMax = 120_000; // a failed examination is tried again some time later
const testMillisMax = Number(PARTITION_SECONDS ?? 0) * 1000 + recoveryMillisMax + settlingMillisMax + 60_000;

const obstacle = whyNoPartition();
if (obstacle) console.log(`partitions are not tried: ${obstacle}`);
const title = 'a network partition';

describe.skipIf(obstacle)(obstacle ? `${title} (skipped: ${obstacle})` : title, async () => {
  if (obstacle) return test('cannot be created here', () => {}); // the block is skipped, and an empty one would be an error
  // A separate database: the sweepers of other tests would start what waits here, on their own queues.
  const serverUrl = inject('environment').DATABASE_URL as string;
  const databaseName = `assay_partitions_${process.pid}`;
  const DATABASE_URL = await makeDatabase(serverUrl, databaseName);
  afterAll(() => dropDatabase(serverUrl, databaseName));
  const observer = await openTestApi({ ...liftedLimits, DATABASE_URL }); // in this process, whose connections are never cut
  const { config } = observer;
  const { db } = observer.handles;
  const { liveKey, sandboxKey } = await observer.makeWorkspace();

  let partition: Partition | undefined;
  const processes: ServerProcess[] = [];
  let client: Client;
  let blobPath: string;
  let known: SubmissionIds;
  let readyUrls: string[];
  let traffic: ReturnType<typeof createMixedTraffic>;

  // In hooks, because what is opened during collection stays open if collection fails.
  afterAll(() => partition?.close());
  afterAll(() => Promise.all(processes.map((one) => one.stop())));
  beforeAll(async () => {
    partition = openPartition();
    const { wrap } = partition;
    const WORKER_QUEUES = 'control,sandbox,document';
    const environment = testEnvironment({
      ...liftedLimits,
      ...engineTimes,
      DATABASE_URL,
      WORKER_QUEUES,
      SWEEP_SECONDS: '1',
    });
    const api = await startServerProcess('api', environment, { wrap });
    processes.push(api);
    const worker = await startServerProcess('worker', environment, { wrap });
    processes.push(worker);
    client = createClient(api.url, liveKey);
    blobPath = await uploadText(client);
    known = await submit(client, [blobPath]);
    await untilFinished(client, known.submissionId);
    const ready = { 'GET /readyz of the API': api.url, 'GET /readyz of the worker': worker.metricsUrl };
    readyUrls = Object.values(ready);
    traffic = createMixedTraffic({
      client,
      sandbox: createClient(api.url, sandboxKey),
      known,
      blobPath,
      readyUrls: ready,
    });
  }, startMillisMax);

  /** Cuts the processes off until `heal` is called, or until the end of the test. */
  const cutFrom = (url: string) => {
    onTestFinished(() => partition?.heal());
    partition?.cut(Number(new URL(url).port));
  };
  const findEnded = () => processes.filter(({ child }) => child.exitCode !== null || child.signalCode !== null);

  /** Counts work that is not finished, including that of requests without a response. */
  const countUnsettled = async () => {
    const count = async (query: { execute(): Promise<unknown[]> }) => (await query.execute()).length;
    return {
      submissions: await count(db.selectFrom('submissions').selectAll().where('completed_at', 'is', null)),
      assets: await count(db.selectFrom('assets').selectAll().where('completed_at', 'is', null)),
      examinations: await count(db.selectFrom('examinations').selectAll()),
      runsToStart: await count(db.selectFrom('runs_to_start').selectAll()),
      runsToCancel: await count(db.selectFrom('runs_to_cancel').selectAll()),
    };
  };
  const nothing = { submissions: 0, assets: 0, examinations: 0, runsToStart: 0, runsToCancel: 0 };

  /** Whether the API reports the part as down before the deadline; its first responses may predate the cut. */
  async function sawDown(part: string, until: number): Promise<boolean> {
    while (Date.now() < until) {
      if ((await readParts(readyUrls[0] as string))[part] === 'down') return true;
      await setTimeout(100);
    }
    return false;
  }

  const everyKind = /./;
  const noKind = /^$/;
  test.each([
    // Each cut lasts longer than the service waits for that part: 4.5 s, 2 s, 4 s and 2 s.
    ['PostgreSQL', 6, config.DATABASE_URL, 'postgres', everyKind],
    ['Redis', 3, config.REDIS_URL, 'redis', noKind],
    ['object storage', 6, storageUrlOf(config), 'blobs', /^POST \/(uploads\/direct|submissions)$/],
    ['Temporal', 3, `tcp://${config.TEMPORAL_ADDRESS}`, 'temporal', noKind],
  ])(
    'from %s: API and worker respond to every request within 5 s, normally or with 502, and recover without a restart',
    async (_, seconds, url, part, mayFail) => {
      // On a busy machine, the duration of a normal request is added to the 5 s.
      const ownMillis = Math.max(...(await traffic.flow(Date.now() + roundMillis)).map(({ millis }) => millis));
      await traffic.stock();
      const underWay = await Promise.all([1, 2, 3].map(() => submit(client, [blobPath])));
      cutFrom(url);
      const until = Date.now() + Number(PARTITION_SECONDS ?? seconds) * 1000;
      const wasDown = sawDown(part, until);
      const seen = await traffic.flow(until);
      partition?.heal();
      const healedAt = Date.now();

      console.log(`${part}, while it is cut off (otherwise at most ${ownMillis} ms):\n${formatSeen(seen)}`);
      expect(await wasDown, 'else nothing was cut').toBe(true);
      for (const { kind, status, millis } of seen) {
        const allowed = [...traffic.expectedOf(kind), ...(mayFail.test(kind) ? [502] : [])];
        expect(allowed, `${kind} was answered ${status}`).toContain(status);
        expect(millis, `${kind} took ${millis} ms`).toBeLessThan(responseMillisMax + ownMillis);
      }

      for (const readyUrl of readyUrls) {
        const read = async () => Object.values(await readParts(readyUrl));
        await expect.poll(read, { timeout: recoveryMillisMax, interval: 200 }).not.toContain('down');
      }
      const readyMillis = Date.now() - healedAt;
      // The server may hold a row lock for some more seconds, for a transaction whose connection was cut.
      const findUnexpected = async () =>
        (await traffic.flow(Date.now() + roundMillis)).filter(
          ({ kind, status }) => !traffic.expectedOf(kind).includes(status),
        );
      await expect.poll(findUnexpected, { timeout: recoveryMillisMax, interval: 0 }).toEqual([]);
      const normalMillis = Date.now() - healedAt - roundMillis;
      for (const { submissionId } of underWay) {
        expect((await untilFinished(client, submissionId, settlingMillisMax / 1000)).status).toBe('complete');
      }
      await expect.poll(countUnsettled, { timeout: settlingMillisMax, interval: 500 }).toEqual(nothing);
      const settledMillis = Date.now() - healedAt;
      console.log(
        `${part}, since it is back: ready ${readyMillis} ms, normal responses ${normalMillis} ms, settled ${settledMillis} ms`,
      );
      expect(findEnded()).toEqual([]);
    },
    testMillisMax,
  );

  test('from PostgreSQL during a transaction: the API waits for a single timeout and not again for the rollback', async () => {
    const owner = new pg.Client({ connectionString: DATABASE_URL });
    await owner.connect();
    onTestFinished(() => owner.end());
    await owner.query('begin');
    await owner.query('select from submissions where submission_id = $1 for update', [known.submissionId]);
    const response = client.post(`/submissions/${known.submissionId}/cancel`);
    const countWaiting = async () => {
      await owner.query('select pg_stat_clear_snapshot()'); // otherwise the transaction keeps seeing its first snapshot
      const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      return (await owner.query(waiting)).rowCount;
    };
    await expect.poll(countWaiting, { timeout: 10_000, interval: 20 }).toBe(1);
    const begin = Date.now();
    cutFrom(config.DATABASE_URL);
    expect((await response).status).toBe(502);
    expect(Date.now() - begin).toBeLessThan(4000); // 2.5 s of one statement, not of two
  });
});

async function readParts(url: string): Promise<Record<string, string>> {
  const { parts } = (await (await fetch(`${url}/readyz`)).json()) as { parts: Record<string, string> };
  return parts;
}
