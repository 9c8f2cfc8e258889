import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tier } from '@assay/contract/limits.ts';
import { makePlainVideo } from '@assay/testing/media/plain-video.ts';
import { sample } from '@assay/testing/media/samples.ts';
import { liftedLimits, openTestApi, openWorkspace, testEnvironment } from '@assay/testing/service/api.ts';
import { type ServerProcess, startServerProcess } from '@assay/testing/service/api-process.ts';
import type { Client } from '@assay/testing/service/client.ts';
import { submit, untilFinished } from '@assay/testing/service/submissions.ts';
import { describe, expect, onTestFinished, test } from 'vitest';

// Orders are compared, never times: how long a file takes depends on the machine.
const longVideo = readFileSync(await makePlainVideo(240));
const shortVideo = sample('clip.mp4');
const shortCount = 6;
const stopSecondsMax = 25; // of a worker; other tests may use the machine

/** An API with queues of its own, whose worker counts a video as long after two seconds. */
async function open(settings: Record<string, string> = {}) {
  const environment = testEnvironment({
    ...liftedLimits,
    WORKER_QUEUES: 'control,video:1',
    EXAMINATION_LONG_SECONDS: '2',
    ...settings,
  });
  const api = await openTestApi(environment);
  const startWorker = async () => {
    const worker = await startServerProcess('worker', environment);
    onTestFinished(async () => void (await worker.stop('SIGKILL')));
    return worker;
  };
  return { api, startWorker, makeWorkspace: async (tier?: Tier) => (await openWorkspace(api, tier)).live };
}

async function submitVideo(client: Client, bytes: Uint8Array): Promise<string> {
  const { body } = await client.uploadFile('a.mp4', bytes);
  return (await submit(client, [body.blobPath])).submissionId;
}

const submitVideos = (client: Client, bytes: Uint8Array, count: number) =>
  Promise.all(Array.from({ length: count }, () => submitVideo(client, bytes)));

/** Resolves when all are complete, with the time of the last one. */
async function untilComplete(client: Client, ids: string[]): Promise<number> {
  const finished = await Promise.all(ids.map((id) => untilFinished(client, id, 240)));
  for (const { status } of finished) expect(status).toBe('complete');
  return Math.max(...finished.map(({ completedAt }) => Date.parse(completedAt)));
}

async function untilInProgress(client: Client, id: string): Promise<void> {
  await expect.poll(async () => (await client.get(`/submissions/${id}`)).body.progressPercent).toBeGreaterThan(0);
}

describe('a worker that examines one video at a time', () => {
  test('completes short videos before a long one that it began earlier', async () => {
    const { makeWorkspace, startWorker } = await open();
    const client = await makeWorkspace();
    const long = await submitVideo(client, longVideo);
    await startWorker();
    await untilInProgress(client, long);
    const shortAt = await untilComplete(client, await submitVideos(client, shortVideo, shortCount));
    expect(shortAt).toBeLessThan(await untilComplete(client, [long]));
  }, 300_000);

  test('completes the short videos of a workspace before the long ones of another, and examines those in turn', async () => {
    const { api, makeWorkspace, startWorker } = await open();
    const [heavy, light] = [await makeWorkspace(), await makeWorkspace()];
    const long = await submitVideos(heavy, longVideo, 3);
    await startWorker();
    await untilInProgress(heavy, long[0] as string);
    const shortAt = await untilComplete(light, await submitVideos(light, shortVideo, shortCount));
    const [firstAt = 0, lastAt = 0] = await untilAllComplete(heavy, long);
    expect(shortAt).toBeLessThan(lastAt);
    expect(firstAt, 'one after another').toBeLessThan(lastAt);
    const tries = await api.handles.db.selectFrom('examination_tries').select('ended_by').execute();
    expect(tries, 'giving way counts as no try, and the tries of a complete asset are not kept').toEqual([]);
  }, 300_000);

  test('stops in time while it examines a long video, which the next worker completes', async () => {
    const { makeWorkspace, startWorker } = await open();
    const client = await makeWorkspace();
    const long = await submitVideo(client, longVideo);
    const first = await startWorker();
    // A short one completes only when the long one has left its slot.
    await untilInProgress(client, long);
    await untilComplete(client, [await submitVideo(client, shortVideo)]);
    await expectStop(first);
    await startWorker();
    await untilComplete(client, [long]);
  }, 300_000);
});

test('a workspace never has more in progress than its tier allows, while another workspace is not held up', async () => {
  const { api, makeWorkspace, startWorker } = await open({
    WORKER_QUEUES: 'control,video:4',
    EXAMINATIONS_AT_ONCE: '{"starter": 1}',
    EXAMINATION_LONG_SECONDS: '60',
  });
  const [limited, other] = [await makeWorkspace('starter'), await makeWorkspace('pro')];
  const { body } = await limited.get('/me');
  const queued = await submitVideos(limited, readFileSync(await makePlainVideo(30)), 4);
  await startWorker();
  let mostAtOnce = 0;
  const countTries = async () => {
    const { count } = await api.handles.db
      .selectFrom('examination_tries')
      .select((of) => of.fn.countAll<string>().as('count'))
      .where('workspace_id', '=', body.workspaceId)
      .where('ended_by', 'is', null)
      .executeTakeFirstOrThrow();
    mostAtOnce = Math.max(mostAtOnce, Number(count));
  };
  const counting = setInterval(() => void countTries(), 20);
  onTestFinished(() => clearInterval(counting));
  await untilInProgress(limited, queued[0] as string).catch(() => {});
  const otherAt = await untilComplete(other, await submitVideos(other, shortVideo, 3));
  expect(otherAt).toBeLessThan(await untilComplete(limited, queued));
  expect(mostAtOnce).toBe(1);
}, 300_000);

async function untilAllComplete(client: Client, ids: string[]): Promise<number[]> {
  const times = await Promise.all(ids.map((id) => untilComplete(client, [id])));
  return [Math.min(...times), Math.max(...times)];
}

async function expectStop(worker: ServerProcess): Promise<void> {
  const late = sleep(stopSecondsMax * 1000, 'late', { ref: false });
  expect(await Promise.race([worker.stop(), late])).toBe(0);
}
