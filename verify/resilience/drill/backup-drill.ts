import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { administer } from '@assay/server/admin/admin.ts';
import { readConfig } from '@assay/server/config/config.ts';
import { migrate } from '@assay/server/platform/postgres/migrate.ts';
import { describeMachine } from '@assay/testing/measure/machine.ts';
import { formatTable } from '@assay/testing/measure/table.ts';
import { sample } from '@assay/testing/media/samples.ts';
import { root } from '@assay/testing/run/root.ts';
import { openScratch } from '@assay/testing/run/scratch.ts';
import { liftedLimits, type TestWorkspace, testEnvironment } from '@assay/testing/service/api.ts';
import { type ServerProcess, startServerProcess } from '@assay/testing/service/api-process.ts';
import { type Client, createClient } from '@assay/testing/service/client.ts';
import { holdExaminations } from '@assay/testing/service/hold-examinations.ts';
import { asOwner } from '@assay/testing/service/make-database.ts';
import { openReceiver } from '@assay/testing/service/receiver.ts';
import {
  assetPath,
  type SubmissionIds,
  submit,
  submitAndCancel,
  untilFinished,
  uploadText,
} from '@assay/testing/service/submissions.ts';
import { subscribe, subscriptionPath, type TestSubscription } from '@assay/testing/service/webhooks.ts';
import { openContainer } from '@assay/testing/storage/blobs.ts';
import { Connection, Client as EngineClient } from '@temporalio/client';
import { afterAll, expect, inject, test } from 'vitest';
import { openArchivedCluster } from './archived-cluster.ts';

// The database is lost with its disk and restored to an earlier time T. The engine, storage and receivers keep what
// happened after T. docs/operate/backup.md quotes the figures in the last line of output.

const videoCount = Number(process.env.IN_FLIGHT ?? 12);
const noteCount = 10;
const fillerMegabytes = Number(process.env.MEGABYTES ?? 200);

const cluster = await openArchivedCluster(process.env.REPOSITORY === 's3' ? 's3' : 'folder');
afterAll(() => cluster.close());
await migrate(asOwner(cluster.url), cluster.url);
const scratch = openScratch();
const receivers = { usual: await openReceiver(), slow: await openReceiver(), late: await openReceiver() };
afterAll(() => {
  for (const receiver of Object.values(receivers)) receiver.close();
});

const environment = {
  ...testEnvironment({ ...liftedLimits, ...pickVariables(process.env, 'RECONCILE_SECONDS') }),
  DATABASE_URL: cluster.url,
  TMPDIR: scratch,
  WEBHOOK_ALLOWED_CIDRS: '127.0.0.1',
  WEBHOOK_TIMEOUT_SECONDS: '60', // a delivery is in flight at T
};
const config = readConfig(environment);
const runAdminCommand = (command: string) => administer(config, command.split(' '));
const workspace = (await runAdminCommand('workspace create --name drill --tier enterprise')) as TestWorkspace;
const createKey = async () =>
  (await runAdminCommand(`key create --workspace ${workspace.workspaceId} --mode live`)) as {
    keyId: string;
    key: string;
  };

type Servers = { api: ServerProcess; worker: ServerProcess; client: Client };
const loggedErrors: unknown[] = [];
async function startServers(): Promise<Servers> {
  const onEntry = (entry: Record<string, unknown>) => void (Number(entry.level) >= 50 && loggedErrors.push(entry));
  const api = await startServerProcess('api', environment, { onEntry });
  const worker = await startServerProcess('worker', environment, { onEntry });
  for (const url of [api.url, worker.metricsUrl]) while (!(await fetch(`${url}/readyz`)).ok) await sleep(20);
  return { api, worker, client: createClient(api.url, workspace.liveKey) };
}
let servers = await startServers();
afterAll(() => Promise.all([servers.api.stop('SIGKILL'), servers.worker.stop('SIGKILL')]));

const engineConnection = await Connection.connect({ address: inject('environment').TEMPORAL_ADDRESS as string });
afterAll(() => engineConnection.close());
const engine = new EngineClient({ connection: engineConnection, namespace: config.TEMPORAL_NAMESPACE }).workflow;

const figures: Record<string, string>[] = [];
async function measureFigure<T>(figure: string, work: () => T | Promise<T>): Promise<T> {
  const beganAt = performance.now();
  const result = await work();
  noteFigure(figure, `${((performance.now() - beganAt) / 1000).toFixed(1)} s`);
  return result;
}
function noteFigure(figure: string, value: string | number): void {
  figures.push({ Figure: figure, Value: String(value) });
}
afterAll(() => console.log(`${describeMachine()}\n\n${formatTable(figures)}`));

const submissionIdsOf = (created: SubmissionIds[]) => created.map(({ submissionId }) => submissionId);
const submitNote = async () => submit(servers.client, [await uploadText(servers.client)]);
async function submitVideo(): Promise<SubmissionIds> {
  const { status, body } = await servers.client.uploadFile('clip.mp4', sample('clip.mp4'));
  if (status !== 201) throw new Error(`the upload was answered with ${status} ${JSON.stringify(body)}`);
  return submit(servers.client, [body.blobPath]);
}
const runTimes = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work));
const untilAllFinished = (created: SubmissionIds[], secondsMax = 120) =>
  Promise.all(created.map(({ submissionId }) => untilFinished(servers.client, submissionId, secondsMax)));
const statusOf = async ({ submissionId }: SubmissionIds) =>
  (await servers.client.get(`/submissions/${submissionId}`)).status;

/** The paths of the stored media, without the file names. */
async function listStored(): Promise<string[]> {
  const paths: string[] = [];
  for await (const { name } of openContainer(config).listBlobsFlat({ prefix: `${workspace.workspaceId}/` }))
    paths.push(name.slice(0, 73));
  return paths.sort();
}

/** Runs the statement that docs/operate/backup.md gives operators. */
async function listRecorded(): Promise<string[]> {
  const page = readFileSync(join(root, 'docs/operate/backup.md'), 'utf8');
  const [, statement = ''] = /```text\n(select workspace_id .+?)```/s.exec(page) ?? [];
  return (await cluster.query<{ path: string }>(statement)).map(({ path }) => path);
}

async function pathsOf(created: SubmissionIds[]): Promise<string[]> {
  const rows = await cluster.query<{ path: string }>(
    `select distinct workspace_id || '/' || blob_id as path from assets where submission_id = any($1) order by 1`,
    [submissionIdsOf(created)],
  );
  return rows.map(({ path }) => path);
}

async function listUnfinished(created: SubmissionIds[]): Promise<string[]> {
  const rows = await cluster.query<{ id: string }>(
    'select submission_id as id from submissions where submission_id = any($1) and completed_at is null order by 1',
    [submissionIdsOf(created)],
  );
  return rows.map(({ id }) => id);
}

const countUnfinished = async (created: SubmissionIds[]) => (await listUnfinished(created)).length;

async function removeSubmission(created: SubmissionIds): Promise<void> {
  const paths = await pathsOf([created]);
  expect((await servers.client.delete(`/submissions/${created.submissionId}`)).status).toBe(204);
  await expect.poll(async () => (await listStored()).some((path) => paths.includes(path))).toBe(false);
}

type World = {
  notes: SubmissionIds[];
  videos: SubmissionIds[];
  finishedVideos: SubmissionIds[];
  cancelled: SubmissionIds;
  slow: SubmissionIds;
  deleted: SubmissionIds[];
  laterNotes: SubmissionIds[];
  laterVideos: SubmissionIds[];
  laterPaths: string[];
  laterKey: string;
  laterSubscription: TestSubscription;
  revokedKey: string;
};
let world: World;
const receivedAtStop = { usual: 0, late: 0 };

test('the database can be lost and restored to a time T', async () => {
  await cluster.query('create table filler (content text)');
  await cluster.query(
    `insert into filler select string_agg(md5(random()::text), '') from generate_series(1, $1 * 1024 * 32) n group by n / 32`,
    [fillerMegabytes],
  );
  noteFigure('size of the database', `${Math.round((await cluster.bytes()) / 1e6)} MB`);
  await subscribe(servers.client, receivers.usual.url);
  await measureFigure('full backup', cluster.backUp);
  cluster.check();

  const notes = await runTimes(noteCount, submitNote);
  await untilAllFinished(notes);
  const cancelled = await submitAndCancel(servers.client);
  await untilAllFinished([cancelled]);
  const revoked = await createKey();
  const answered = Promise.withResolvers<void>();
  receivers.slow.answerWith((_, response) => answered.promise.then(() => response.end()));
  await subscribe(servers.client, receivers.slow.url);
  const slow = await submitNote();
  await receivers.slow.until(1);
  const deliveredAtT = receivers.usual.received.length;
  const examinations = holdExaminations(scratch);
  const videos = await runTimes(videoCount, submitVideo);
  await expect.poll(examinations.count).toBeGreaterThan(0);
  examinations.stopHolding(); // the other videos wait for this one; notes do not

  await sleep(1000);
  const timeT = await cluster.now();
  await sleep(1000);

  answered.resolve();
  const laterNotes = await runTimes(noteCount, submitNote);
  await untilAllFinished(laterNotes);
  const laterSubscription = await subscribe(servers.client, receivers.late.url);
  const { key: laterKey } = await createKey();
  await runAdminCommand(`key revoke --key ${revoked.keyId}`);
  expect((await servers.client.post(`${assetPath(cancelled)}/retry`)).status).toBe(202);
  await untilAllFinished([cancelled]);
  const laterVideos = await runTimes(Math.ceil(videoCount / 4), submitVideo);
  examinations.release();
  await expect.poll(() => countUnfinished(videos)).toBeLessThan(videoCount - 1);
  const heldAgain = holdExaminations(scratch);
  await expect.poll(heldAgain.count).toBeGreaterThan(0);
  const unfinishedIds = await listUnfinished(videos);
  const deletedVideo = videos.find(({ submissionId }) => !unfinishedIds.includes(submissionId)) as SubmissionIds;
  const lostVideo = videos.find(({ submissionId }) => submissionId === unfinishedIds.at(-1)) as SubmissionIds;
  const laterPaths = await pathsOf([...laterNotes, ...laterVideos]);
  const deleted = [notes[0] as SubmissionIds, deletedVideo];
  for (const one of deleted) await removeSubmission(one);
  await engine.getHandle(lostVideo.workflowId).terminate('lost in the drill');
  heldAgain.release();
  await Promise.all([servers.api.stop(), servers.worker.stop()]);
  const unfinishedAtStop = await listUnfinished(videos);
  const finishedVideos = videos.filter(({ submissionId }) => !unfinishedAtStop.includes(submissionId));
  noteFigure('runs in progress at T that the engine had finished', finishedVideos.length);
  noteFigure('deliveries made after T', receivers.usual.received.length - deliveredAtT);
  receivedAtStop.usual = receivers.usual.received.length;
  receivedAtStop.late = receivers.late.received.length;
  world = {
    ...{ notes, videos, finishedVideos, cancelled, slow, deleted, laterNotes, laterVideos, laterPaths },
    ...{ laterKey, laterSubscription, revokedKey: revoked.key },
  };

  await cluster.archiveAll();
  await cluster.lose();
  await measureFigure('restore of the files', () => cluster.restoreFiles(timeT));
  await measureFigure('replay up to T', cluster.recover);
  await measureFigure('start of `api` and `worker`, until both are ready', async () => {
    servers = await startServers();
  });
});

test('every submission from before T ends in the state that it had, or is examined again', async () => {
  const { notes, videos, cancelled, slow, deleted } = world;
  const [, deletedVideo] = deleted as [SubmissionIds, SubmissionIds];
  const keptVideos = videos.filter((video) => video !== deletedVideo);
  noteFigure('submissions from before T that were in progress', await countUnfinished([...videos, slow]));
  const ended = await measureFigure('until the last of them ended', () =>
    untilAllFinished([...notes, slow, ...keptVideos], 300),
  );
  expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 'complete'));
  expect(await untilAllFinished([cancelled])).toMatchObject([{ status: 'failed', assets: [{ retryCount: 0 }] }]);
  // The media of this submission were deleted after T, so its restored examination cannot find them.
  expect(await untilAllFinished([deletedVideo])).toMatchObject([
    { status: 'failed', assets: [{ errorType: 'blob_missing' }] },
  ]);
});

test('each asset of a submission from before T is charged once and has one event', async () => {
  const { notes, slow, videos, deleted } = world;
  const completed = [...notes, slow, ...videos].filter((one) => one !== deleted[1]);
  const rows = await cluster.query(
    `select a.attempt,
       (select count(*)::int from credit_entries c where c.asset_id = a.asset_id) as charges,
       (select count(*)::int from events e where e.asset_id = a.asset_id) as events
     from assets a where a.submission_id = any($1)`,
    [submissionIdsOf(completed)],
  );
  expect(rows).toEqual(completed.map(() => ({ attempt: 1, charges: 1, events: 1 })));
});

test('submissions, keys and subscriptions created after T are unknown, and the workflows of those submissions end', async () => {
  const later = [...world.laterNotes, ...world.laterVideos];
  noteFigure('submissions lost: created after T', later.length);
  expect(await Promise.all(later.map(statusOf))).toEqual(later.map(() => 404));
  for (const { workflowId } of later)
    await expect.poll(async () => (await engine.getHandle(workflowId).describe()).status.name).toBe('COMPLETED');
  expect((await servers.client.get(subscriptionPath(world.laterSubscription))).status).toBe(404);
  expect((await createClient(servers.api.url, world.laterKey).get('/me')).status).toBe(401);
});

test('a key revoked after T works again, and submissions deleted after T exist again', async () => {
  expect((await createClient(servers.api.url, world.revokedKey).get('/me')).status).toBe(200);
  expect(await Promise.all(world.deleted.map(statusOf))).toEqual([200, 200]);
});

test('an asset that was retried after T can be retried again', async () => {
  expect((await servers.client.post(`${assetPath(world.cancelled)}/retry`)).status).toBe(202);
  const [ended] = await measureFigure('the same retry as after T', () => untilAllFinished([world.cancelled]));
  expect(ended).toMatchObject({ status: 'complete', assets: [{ retryCount: 1 }] });
});

test('stored media and their rows differ exactly by what was uploaded or deleted after T', async () => {
  const [stored, recorded] = [await listStored(), await listRecorded()];
  const orphans = stored.filter((path) => !recorded.includes(path));
  const missing = recorded.filter((path) => !stored.includes(path));
  noteFigure('stored files without a row', orphans.length);
  noteFigure('rows without a stored file', missing.length);
  expect(orphans).toEqual(world.laterPaths);
  expect(missing).toEqual(await pathsOf(world.deleted));
});

test('the deletions made after T can be repeated', async () => {
  for (const one of world.deleted) await removeSubmission(one);
  expect(await Promise.all(world.deleted.map(statusOf))).toEqual([404, 404]);
});

test('an event is delivered again with its id, and a repeated examination gets an event with another id', async () => {
  const slow = await receivers.slow.until(2, ({ event }) => event.data.submission_id === world.slow.submissionId);
  expect(new Set(slow.map(({ body }) => body)).size).toBe(1);
  const byId = Map.groupBy(receivers.usual.received, ({ event }) => event.id);
  noteFigure(
    'events delivered twice with the same id',
    [...byId.values()].filter(({ length }) => length > 1).length + 1,
  );
  const before = receivers.usual.received.slice(0, receivedAtStop.usual).map(({ event }) => event);
  const after = receivers.usual.received.slice(receivedAtStop.usual).map(({ event }) => event);
  const again = after.filter(({ id, data }) =>
    before.some((event) => event.id !== id && event.data.asset_id === data.asset_id),
  );
  noteFigure('events of repeated examinations, with another id', again.length);
  const repeated = submissionIdsOf([...world.finishedVideos, world.cancelled]).sort();
  expect(again.map(({ data }) => data.submission_id).sort()).toEqual(repeated);
  expect(receivers.late.received.length).toBe(receivedAtStop.late);
});

test('the service logs no error after the restore', () => {
  expect(loggedErrors).toEqual([]);
});

function pickVariables(from: NodeJS.ProcessEnv, name: string): Record<string, string> {
  return from[name] ? { [name]: from[name] } : {};
}
