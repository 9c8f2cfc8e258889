import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type MediaType, mediaTypeOfFilename } from '@assay/contract/media-types.ts';
import { nodeEnvironment } from '@assay/testing/run/node-environment.ts';
import { liftedLimits, openTestApi, openTestWorker, testEnvironment } from '@assay/testing/service/api.ts';
import { submit, untilFinished } from '@assay/testing/service/submissions.ts';
import { listBlobNames, openTwoStores } from '@assay/testing/storage/two-stores.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { WorkspaceId } from '#call/caller.ts';
import { runForEach } from '#platform/mechanisms/semaphore.ts';
import { Outage } from '#platform/outage.ts';
import { formatBlobPath, newBlobPath } from '../blob-path.ts';
import { findPinnedBlob, insertBlob } from '../store.ts';

const objectCount = Number(process.env.OBJECTS ?? 100);
const mainPath = join(import.meta.dirname, '..', '..', '..', 'main.ts');
const media = mediaTypeOfFilename('a.txt') as MediaType;
const longSignal = AbortSignal.timeout(3_600_000);
const minutesMax = 60;
const pauseMillis = 10;
const outagesMax = objectCount / 10;

const { azure, s3, settings } = await openTwoStores();
const environment = testEnvironment({
  ...{ ...liftedLimits, ...settings, OBJECT_STORE: 's3' },
  ...{ SWEEP_SECONDS: '1', WORKER_QUEUES: 'control,document' },
});
const service = await openTestApi(environment);
const { handles, config } = service;
const { db, blobs } = handles;
const source = blobs.stores.map(({ home }) => home).find(({ store }) => store === 'azure') as typeof blobs.home;
const workspace = await service.makeWorkspace();
const workspaceId = workspace.workspaceId as WorkspaceId;
const live = service.client(workspace.liveKey);

type StoredObject = { blobId: string; blobPath: string; etag: string; sha256: string };

async function storeObject(i: number): Promise<StoredObject> {
  const path = newBlobPath(workspaceId, `${i}.txt`);
  const blobPath = formatBlobPath(path);
  const bytes = Buffer.from(`object ${i} `.repeat(1 + (i % 200)));
  const blob = { path, media, location: source, countedBytes: bytes.length, isMeasured: true };
  await insertBlob(db, { workspaceId, mode: 'live' }, blob, { bytesMax: null, filesMax: null });
  const { etag } = await azure.getBlockBlobClient(blobPath).upload(bytes, bytes.length);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { blobId: path.blobId, blobPath, etag: etag as string, sha256 };
}

/** Reads an object the way an examination does. */
async function readObject({ blobId, blobPath, etag, sha256 }: StoredObject): Promise<void> {
  const place = await findPinnedBlob(db, workspaceId, blobId, etag);
  const bytes = place && (await blobs.download(place, blobPath, place.etag, longSignal));
  if (!bytes) throw new Error(`${blobPath} is missing`);
  const hash = createHash('sha256');
  for await (const chunk of bytes) hash.update(chunk);
  if (hash.digest('hex') !== sha256) throw new Error(`${blobPath} has other bytes`);
}

/** Repeats the work in concurrent loops until `stop` is called; counts successes and collects failures. */
function loopUntilStopped(atOnce: number, work: () => Promise<unknown>) {
  const failures: unknown[] = [];
  let count = 0;
  let isStopped = false;
  const loop = async () => {
    while (!isStopped) {
      await sleep(pauseMillis);
      await work().then(
        () => count++,
        (error) => failures.push(error),
      );
    }
  };
  const loops = Array.from({ length: atOnce }, loop);
  const stop = async () => {
    isStopped = true;
    await Promise.all(loops);
    return { count, failures };
  };
  return { stop };
}

function startMove(...args: string[]) {
  const command = [mainPath, 'admin', 'storage', 'move', '--from', 'azure', '--to', 's3', ...args];
  const child = spawn(process.execPath, command, {
    env: { ...nodeEnvironment, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const ended = async () => {
    const [[code], [printed, progress]] = await Promise.all([once(child, 'exit'), output]);
    return { code, outcome: code === null || !printed ? undefined : JSON.parse(printed), progress };
  };
  return { child, ended: ended() };
}

// A connection without the service's time limits.
const observer = new pg.Client({ connectionString: config.DATABASE_URL });
await observer.connect();
afterAll(() => observer.end());

async function countMoved(): Promise<number> {
  const { rows } = await observer.query(
    `select count(*)::int as count from blobs where store = 's3' and other_store is not null`,
  );
  return rows[0].count;
}

/** Starts a move and kills it once this many objects have been moved; returns how many were moved. */
async function moveAndKill(atLeast: number): Promise<number> {
  const { child, ended } = startMove();
  while ((await countMoved()) < atLeast) {
    if (child.exitCode !== null) throw new Error(`it ended before: ${JSON.stringify(await ended)}`);
    await sleep(objectCount / 40); // short compared with the duration of the whole move
  }
  child.kill('SIGKILL');
  await ended;
  return countMoved();
}

let outageCount = 0;
/** On a busy host a store or the database may exceed its time limit. Callers and workers then try again. */
async function retryOutages<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isOutage = error instanceof Outage || (error as Error).message.includes('answered with 502');
      if (!isOutage || ++outageCount > outagesMax) throw error;
    }
  }
}

const pickOne = <T>(list: T[]) => list[Math.floor(Math.random() * list.length)] as T;
const secondsSince = (from: number) => ((performance.now() - from) / 1000).toFixed(1);

test('a storage move that is killed twice while submissions run moves all objects without a failed read', {
  timeout: minutesMax * 60_000,
}, async () => {
  const stored = await runForEach([...Array(objectCount).keys()], 16, storeObject);
  await sql`update blobs set upload_until = now() - interval '1 second'`.execute(db);
  const [toDelete, kept] = [stored.slice(0, 10), stored.slice(10)];
  const submitOne = ({ blobPath }: StoredObject) => retryOutages(() => submit(live, [blobPath]));
  // These submissions are pinned to ETags of the old store.
  const early = await runForEach(kept.slice(0, 20), 4, submitOne);
  const doomed = await runForEach(toDelete, 4, submitOne);
  await openTestWorker(config);
  for (const { submissionId } of doomed) await untilFinished(live, submissionId);

  const readers = loopUntilStopped(3, () => {
    const one = pickOne(kept);
    return retryOutages(() => readObject(one));
  });
  const submitters = loopUntilStopped(2, async () => {
    const { submissionId } = await submitOne(pickOne(kept));
    const { status } = await retryOutages(() => untilFinished(live, submissionId, 300));
    if (status !== 'complete') throw new Error(`${submissionId} is ${status}`);
  });
  const begin = performance.now();
  const first = await moveAndKill(objectCount / 3);
  await runForEach(doomed, 4, async ({ submissionId }) => {
    await expect.poll(async () => (await live.delete(`/submissions/${submissionId}`)).status).toBe(204);
  });
  const second = await moveAndKill((objectCount * 2) / 3);
  expect([first < objectCount - 10, first < second, second < objectCount - 10]).toEqual([true, true, true]);
  const last = await startMove().ended;
  const moveSeconds = secondsSince(begin);
  expect(last, last.progress).toMatchObject({ outcome: { failed: 0, left: { ready: 0, uploading: 0 } } });
  for (const { submissionId } of early)
    expect(await untilFinished(live, submissionId)).toMatchObject({ status: 'complete' });
  const submissions = await submitters.stop();
  expect(submissions.failures).toEqual([]);
  expect(submissions.count).toBeGreaterThan(0);

  // The old copies are deleted while reads continue.
  await sql`update blobs set moved_at = now() - interval '1 hour' where moved_at is not null`.execute(db);
  const cleanBegin = performance.now();
  const cleaned = await startMove('--delete-source').ended;
  expect(cleaned, cleaned.progress).toMatchObject({ outcome: { failed: 0, oldCopies: 0 } });
  expect(await listBlobNames(azure)).toEqual([]);
  const reads = await readers.stop();
  expect(reads.failures).toEqual([]);
  expect(reads.count).toBeGreaterThan(50);

  const names = (await listBlobNames(s3)).sort();
  expect(names, 'only objects that were not deleted').toEqual(kept.map(({ blobPath }) => blobPath).sort());
  await runForEach(kept, 16, (one) => retryOutages(() => readObject(one)));
  console.log(
    `moved ${objectCount} objects in ${moveSeconds} s, killed at ${first} and ${second}; ${reads.count} reads and ` +
      `${submissions.count} submissions meanwhile; ${outageCount} times something was too slow; old copies deleted in ${secondsSince(cleanBegin)} s`,
  );
});
