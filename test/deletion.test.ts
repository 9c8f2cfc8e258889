import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { readConfig } from '@assay/server/config.ts';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { liftedLimits, openTestApi, testEnvironment } from './support/api.ts';
import { type ServerProcess, startServerProcess } from './support/api-process.ts';
import { openContainer } from './support/blobs.ts';
import { createClient } from './support/client.ts';
import { countInEngine } from './support/engine-database.ts';
import { dropDatabase, makeDatabase } from './support/make-database.ts';
import { makePdf, makeZip } from './support/samples.ts';
import { submit, untilOver } from './support/submissions.ts';

const serverUrl = inject('environment').DATABASE_URL as string;
const databaseName = `assay_test_deletion_${process.pid}`; // of its own, so that all of it can be searched
const environment = testEnvironment({
  ...liftedLimits,
  DATABASE_URL: await makeDatabase(serverUrl, databaseName),
  SWEEP_SECONDS: '0.2',
});
const config = readConfig(environment);

/** Words that stand for what a caller must be able to take back. */
const canary = (where: string) => `canary-${where}-${randomUUID().slice(0, 13)}`;
const words = {
  filename: canary('name'),
  metadata: canary('metadata'),
  content: canary('content'),
  finding: canary('finding'),
  note: canary('note'),
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
const idle = await openTestApi({ ...environment, TEMPORAL_QUEUE_PREFIX: `${randomUUID()}:` }); // nobody serves its queues
const workspace = await idle.makeWorkspace();
const waiting = idle.client(workspace.liveKey);
const client = createClient(processes[0]?.url as string, workspace.liveKey);

async function countNamedBlobs(): Promise<number> {
  return (await idle.handles.db.selectFrom('blobs').select('blob_id').where('filename', 'is not', null).execute())
    .length;
}

/** In which places each word can still be found. */
async function findWords(): Promise<Record<keyof typeof words, string[]>> {
  const { stdout: dump } = await promisify(execFile)('pg_dump', [environment.DATABASE_URL as string], {
    maxBuffer: 256 * 1024 * 1024,
  });
  const stored = await readStorage();
  const remembered = await readRedis();
  const found = Object.entries(words).map(async ([name, word]) => {
    const has = (text: string) => text.includes(word) || text.includes(Buffer.from(word).toString('hex'));
    const places = {
      'the database': has(dump),
      storage: has(stored),
      Redis: has(remembered),
      'the engine': (await countInEngine(environment.DATABASE_URL as string, word)) > 0,
      'the logs': has(logLines.join('\n')),
    };
    return [name, Object.entries(places).flatMap(([place, isThere]) => (isThere ? place : []))];
  });
  return Object.fromEntries(await Promise.all(found));
}

/** Names and bytes of every blob of the workspace. */
async function readStorage(): Promise<string> {
  const container = openContainer(config);
  const texts: string[] = [];
  for await (const { name } of container.listBlobsFlat({ prefix: workspace.workspaceId })) {
    texts.push(name, (await container.getBlobClient(name).downloadToBuffer()).toString('latin1'));
  }
  return texts.join('\n');
}

async function readRedis(): Promise<string> {
  const redis = idle.handles.redis.duplicate({ keyPrefix: '', enableOfflineQueue: true });
  const keys = await redis.keys('*');
  const values = await Promise.all(keys.map((key) => redis.dumpBuffer(key)));
  redis.disconnect();
  return [...keys, ...values.map((value) => value?.toString('latin1'))].join('\n');
}

describe('a submission that is deleted', () => {
  test('leaves no word of its file names, metadata, media, findings or notes in any store or log', async () => {
    // A PDF with an archive behind it: the finding names what is in the archive.
    const archive = makeZip({ [`${words.finding}.txt`]: 'hello' });
    const pdf = Buffer.concat([makePdf(`/About (${words.content})`), archive]);
    const upload = async () => (await client.uploadFile(`${words.filename}.pdf`, pdf)).body.blobPath as string;
    const blobPaths = [await upload(), await upload()];
    const { submissionId, assets } = await submit(waiting, blobPaths, { metadata: { about: words.metadata } });
    await client.post(`/submissions/${submissionId}/cancel`);
    // One of them fails, as failures are logged.
    await openContainer(config)
      .getBlobClient(blobPaths[1] as string)
      .delete();
    for (const { assetId } of assets) await client.post(`/submissions/${submissionId}/assets/${assetId}/retry`);
    const statuses = (await untilOver(client, submissionId)).assets.map(({ status }: { status: string }) => status);
    expect(statuses).toEqual(['complete', 'failed']);
    const issuesPath = `/submissions/${submissionId}/assets/${assets[0]?.assetId}/issues`;
    const { body } = await client.get(issuesPath);
    await client.patch(`${issuesPath}/${body.issues[0].id}`, { status: 'DISMISSED', note: words.note });

    const before = await findWords();
    expect(before).toEqual({
      filename: expect.arrayContaining(['the database', 'storage']),
      metadata: ['the database'],
      content: ['storage'],
      finding: expect.arrayContaining(['the database', 'storage']),
      note: ['the database'],
    });
    for (const places of Object.values(before)) {
      expect(places.filter((place) => /engine|logs|Redis/.test(place))).toEqual([]);
    }

    expect(await client.delete(`/submissions/${submissionId}`)).toMatchObject({ status: 204 });
    while ((await countNamedBlobs()) > 0) await sleep(50); // until the worker has looked after them
    expect(await findWords()).toEqual({ filename: [], metadata: [], content: [], finding: [], note: [] });
  });
});
