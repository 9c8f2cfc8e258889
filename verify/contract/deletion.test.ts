import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Config, readConfig } from '@assay/server/config/config.ts';
import { makePdf, makeZip } from '@assay/testing/media/samples.ts';
import { liftedLimits, openTestApi, testEnvironment } from '@assay/testing/service/api.ts';
import { type ServerProcess, startServerProcess } from '@assay/testing/service/api-process.ts';
import { createClient } from '@assay/testing/service/client.ts';
import { countInEngine } from '@assay/testing/service/engine-database.ts';
import { asOwner, dropDatabase, makeDatabase } from '@assay/testing/service/make-database.ts';
import { openReceiver } from '@assay/testing/service/receiver.ts';
import { submit, untilFinished } from '@assay/testing/service/submissions.ts';
import { azureSettings, openContainer } from '@assay/testing/storage/blobs.ts';
import { stores } from '@assay/testing/storage/stores.ts';
import { afterAll, describe, expect, inject, test } from 'vitest';

const serverUrl = inject('environment').DATABASE_URL as string;
const databaseName = `assay_test_deletion_${process.pid}`; // a separate database, so that all of it can be searched
const [azure, s3] = stores.map((store) => store.environment) as [Record<string, string>, Record<string, string>];
const environment = testEnvironment({
  ...liftedLimits,
  ...azure,
  ...s3,
  DATABASE_URL: await makeDatabase(serverUrl, databaseName),
  SWEEP_SECONDS: '0.2',
  WEBHOOK_WAITS_SECONDS: '0,1,1,1,1,1,1,1,1,1', // so that failed deliveries are also retried after the deletion
});
const s3Config = readConfig(environment);
const azureConfig = readConfig({ ...environment, ...azureSettings });

/** Makes a unique string. Everything that a caller must be able to delete contains one. */
const makeMarker = (where: string) => `canary-${where}-${randomUUID().slice(0, 13)}`;
const markers = {
  filename: makeMarker('name'),
  metadata: makeMarker('metadata'),
  content: makeMarker('content'),
  finding: makeMarker('finding'),
  note: makeMarker('note'),
  fired: makeMarker('fired'),
  answered: makeMarker('answered'),
  complained: makeMarker('complained'),
};

const logLines: string[] = [];
const onEntry = (entry: object) => void logLines.push(JSON.stringify(entry));
const processes: ServerProcess[] = [];
for (const role of ['api', 'worker'] as const) {
  processes.push(await startServerProcess(role, environment, { onEntry }));
}
afterAll(async () => {
  await Promise.all(processes.map((one) => one.stop()));
  await dropDatabase(serverUrl, databaseName);
});
// No worker polls its queues.
const apiWithoutWorker = await openTestApi({ ...environment, TEMPORAL_QUEUE_PREFIX: `${randomUUID()}:` });
const workspace = await apiWithoutWorker.makeWorkspace();
const clientWithoutWorker = apiWithoutWorker.client(workspace.liveKey);
const client = createClient(processes[0]?.url as string, workspace.liveKey);
const azureClient = (await openTestApi({ ...environment, ...azureSettings })).client(workspace.liveKey);
const sandbox = createClient(processes[0]?.url as string, workspace.sandboxKey);

// The receiver accepts every event at one path and refuses every event at the other.
const receiver = await openReceiver(({ path }, response) => {
  const isContent = path === '/content';
  response.writeHead(isContent ? 200 : 500).end(isContent ? markers.answered : markers.complained);
});
afterAll(() => receiver.close());

async function countNamedBlobs(): Promise<number> {
  return (
    await apiWithoutWorker.handles.db.selectFrom('blobs').select('blob_id').where('filename', 'is not', null).execute()
  ).length;
}

/** Maps the name of each marker to the stores and logs that still contain the marker. */
async function findMarkers(): Promise<Record<keyof typeof markers, string[]>> {
  const { stdout: dump } = await promisify(execFile)('pg_dump', [asOwner(environment.DATABASE_URL as string)], {
    maxBuffer: 256 * 1024 * 1024,
  });
  const stored = { azure: await readStorage(azureConfig), s3: await readStorage(s3Config) };
  const remembered = await readRedis();
  const found = Object.entries(markers).map(async ([name, word]) => {
    const has = (text: string) => text.includes(word) || text.includes(Buffer.from(word).toString('hex'));
    const places = {
      'the database': has(dump),
      Azure: has(stored.azure),
      S3: has(stored.s3),
      Redis: has(remembered),
      'the engine': (await countInEngine(environment.DATABASE_URL as string, [word]))[0] !== 0,
      'the logs': has(logLines.join('\n')),
    };
    return [name, Object.entries(places).flatMap(([place, isThere]) => (isThere ? place : []))];
  });
  return Object.fromEntries(await Promise.all(found));
}

/** Fires events for the submission, waits until each delivery was attempted, and returns the deliveries. */
async function fireAndWait(submissionId: string): Promise<{ status: string }[]> {
  const paths: string[] = [];
  for (const name of ['content', 'never']) {
    const json = { url: `${receiver.url}/${name}`, eventTypes: ['asset.processing.failed'] };
    const { body } = await client.post('/webhooks/subscriptions', json);
    paths.push(`/webhooks/subscriptions/${body.subscriptionId}/deliveries`);
  }
  const json = { eventType: 'asset.processing.failed', submissionId, errorMessage: markers.fired };
  expect((await sandbox.post('/sandbox/events/fire', json)).body).toEqual({ dispatched: 6 });
  for (;;) {
    const lists = await Promise.all(paths.map(async (path) => (await client.get(path)).body.deliveries));
    const deliveries = lists.flat();
    if (deliveries.every(({ attemptCount }) => attemptCount > 0)) return deliveries;
    await sleep(50);
  }
}

/** The names of all blobs in the workspace, including unreadable ones: snapshots and unfinished uploads. */
async function listStorage(store: Config): Promise<string[]> {
  const hidden = { includeSnapshots: true, includeUncommitedBlobs: true };
  const blobs = openContainer(store).listBlobsFlat({ prefix: workspace.workspaceId, ...hidden });
  return (await Array.fromAsync(blobs)).map(({ name }) => name);
}

/** The name and content of every blob in the workspace. */
async function readStorage(store: Config): Promise<string> {
  const container = openContainer(store);
  const texts = await listStorage(store);
  for await (const { name } of container.listBlobsFlat({ prefix: workspace.workspaceId })) {
    texts.push((await container.getBlobClient(name).downloadToBuffer()).toString('latin1'));
  }
  return texts.join('\n');
}

async function readRedis(): Promise<string> {
  const redis = apiWithoutWorker.handles.redis.duplicate({ keyPrefix: '', enableOfflineQueue: true });
  const keys = await redis.keys('*');
  const values = await Promise.all(keys.map((key) => redis.dumpBuffer(key)));
  redis.disconnect();
  return [...keys, ...values.map((value) => value?.toString('latin1'))].join('\n');
}

describe('a deleted submission', () => {
  test('leaves no trace of its file names, metadata, media, findings, notes or events in any store or log', async () => {
    // A PDF followed by an archive: the finding names a file in the archive.
    const archive = makeZip({ [`${markers.finding}.txt`]: 'hello' });
    const pdf = Buffer.concat([makePdf(`/About (${markers.content})`), archive]);
    const upload = async (by = client) => (await by.uploadFile(`${markers.filename}.pdf`, pdf)).body.blobPath as string;
    const blobPaths = [await upload(), await upload(), await upload(azureClient)];
    const { submissionId, assets } = await submit(clientWithoutWorker, blobPaths, {
      metadata: { about: markers.metadata },
    });
    await client.post(`/submissions/${submissionId}/cancel`);
    // One of the assets fails, because logs describe failures.
    await openContainer(s3Config)
      .getBlobClient(blobPaths[1] as string)
      .delete();
    for (const { assetId } of assets) await client.post(`/submissions/${submissionId}/assets/${assetId}/retry`);
    const statuses = (await untilFinished(client, submissionId)).assets.map(({ status }: { status: string }) => status);
    expect(statuses).toEqual(['complete', 'failed', 'complete']);
    const issuesPath = `/submissions/${submissionId}/assets/${assets[0]?.assetId}/issues`;
    const { body } = await client.get(issuesPath);
    await client.patch(`${issuesPath}/${body.issues[0].id}`, { status: 'DISMISSED', note: markers.note });
    const deliveries = await fireAndWait(submissionId);
    expect(new Set(deliveries.map(({ status }) => status))).toEqual(new Set(['succeeded', 'pending']));

    const before = await findMarkers();
    expect(before).toEqual({
      filename: expect.arrayContaining(['the database', 'Azure', 'S3']),
      metadata: ['the database'],
      content: ['Azure', 'S3'],
      finding: expect.arrayContaining(['the database', 'Azure', 'S3']),
      note: ['the database'],
      fired: ['the database'],
      answered: ['the database'],
      complained: ['the database'],
    });
    for (const places of Object.values(before)) {
      expect(places.filter((place) => /engine|logs|Redis/.test(place))).toEqual([]);
    }

    expect(await client.delete(`/submissions/${submissionId}`)).toMatchObject({ status: 204 });
    while ((await countNamedBlobs()) > 0) await sleep(50); // until the worker has removed them
    const nothing = Object.fromEntries(Object.keys(markers).map((name) => [name, []]));
    expect(await findMarkers()).toEqual(nothing);
    expect([await listStorage(azureConfig), await listStorage(s3Config)]).toEqual([[], []]);

    // After three seconds, every retry has run and found nothing to send.
    const sentCount = receiver.received.length;
    await sleep(3000);
    expect(receiver.received.length).toBe(sentCount);
    expect(await findMarkers()).toEqual(nothing);
  }, 120_000);
});
