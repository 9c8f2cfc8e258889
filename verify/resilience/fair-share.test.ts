import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tier } from '@assay/contract/limits.ts';
import { sidekicks } from '@assay/sidekicks/sidekick/catalogue.ts';
import { isExaminer, type Process, processesWithOpenFileIn } from '@assay/testing/faults/process-table.ts';
import { makePlainVideo } from '@assay/testing/media/plain-video.ts';
import { sample } from '@assay/testing/media/samples.ts';
import { liftedLimits, openTestApi, openWorkspace, testEnvironment } from '@assay/testing/service/api.ts';
import { startServerProcess } from '@assay/testing/service/api-process.ts';
import type { Client } from '@assay/testing/service/client.ts';
import { submit, untilFinished } from '@assay/testing/service/submissions.ts';
import { describe, expect, onTestFinished, test } from 'vitest';

const longVideo = readFileSync(await makePlainVideo(4));
const shortVideo = sample('clip.mp4');
const shortCount = 3;
/** The cheapest check, because these tests are about who waits for whom. A long video would be complete at once. */
const sidekickIds = sidekicks.filter(({ shortName }) => shortName === 'file-safety').map(({ id }) => id);
const longCount = 2;
const stopSecondsMax = 25; // of a worker; other tests may use the machine

/** An API with queues of its own. Its worker's examinations of long videos are suspended until they are resumed. */
async function open(settings: Record<string, string> = {}) {
  const scratch = mkdtempSync(join(tmpdir(), 'assay-share-'));
  onTestFinished(() => rmSync(scratch, { recursive: true }));
  const environment = testEnvironment({
    ...liftedLimits,
    WORKER_QUEUES: 'control,video:1',
    EXAMINATION_LONG_SECONDS: '3',
    ...settings,
    TMPDIR: scratch,
  });
  const api = await openTestApi(environment);
  const suspended = new Map<number, Process>();
  const suspending = setInterval(() => {
    for (const examiner of processesWithOpenFileIn(scratch, (pid) => isExaminer(pid) && hasLongVideo(pid))) {
      if (trySignal(examiner, 'SIGSTOP')) suspended.set(examiner.pid, examiner);
    }
  }, 20);
  const resume = () => {
    clearInterval(suspending);
    for (const examiner of suspended.values()) trySignal(examiner, 'SIGCONT');
  };
  onTestFinished(resume);
  return {
    db: api.handles.db,
    resume,
    untilSuspended: () => expect.poll(() => suspended.size).toBeGreaterThan(0),
    async startWorker() {
      const worker = await startServerProcess('worker', environment);
      onTestFinished(async () => void (await worker.stop('SIGKILL')));
      return worker;
    },
    makeWorkspace: (tier?: Tier) => openWorkspace(api, tier),
  };
}

function hasLongVideo(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => statSync(`/proc/${pid}/fd/${fd}`).size === longVideo.length);
  } catch {
    return false; // it has exited, or closed the file
  }
}

function trySignal({ pid }: Process, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // it has exited
  }
}

async function submitVideos(client: Client, bytes: Uint8Array, count: number): Promise<string[]> {
  const { body } = await client.uploadFile('a.mp4', bytes);
  const submissions = Array.from({ length: count }, () =>
    submit(client, [body.blobPath], bytes === shortVideo ? { sidekickIds } : {}),
  );
  return (await Promise.all(submissions)).map(({ submissionId }) => submissionId);
}

async function untilComplete(client: Client, ids: string[]): Promise<void> {
  const finished = await Promise.all(ids.map((id) => untilFinished(client, id, 120)));
  expect(finished.map(({ status }) => status)).toEqual(ids.map(() => 'complete'));
}

async function statusesOf(client: Client, ids: string[]): Promise<string[]> {
  return Promise.all(ids.map(async (id) => (await client.get(`/submissions/${id}`)).body.status));
}

describe('a worker that examines one video at a time', () => {
  test('completes short videos while it examines a long one of the same workspace', async () => {
    const { makeWorkspace, startWorker, untilSuspended, resume } = await open();
    const { live } = await makeWorkspace();
    const long = await submitVideos(live, longVideo, 1);
    await startWorker();
    await untilSuspended();
    await untilComplete(live, await submitVideos(live, shortVideo, shortCount));
    expect(await statusesOf(live, long)).toEqual(['processing']);
    resume();
    await untilComplete(live, long);
  }, 300_000);

  test('completes short videos while another workspace has several long ones, which complete later', async () => {
    const { makeWorkspace, startWorker, untilSuspended, resume, db } = await open();
    const [{ live: heavy }, { live: light }] = [await makeWorkspace(), await makeWorkspace()];
    const long = await submitVideos(heavy, longVideo, longCount);
    await startWorker();
    await untilSuspended();
    await untilComplete(light, await submitVideos(light, shortVideo, shortCount));
    expect(await statusesOf(heavy, long)).not.toContain('complete');
    const gaveWay = () =>
      db.selectFrom('examination_tries').select('ended_by').where('ended_by', 'is not', null).execute();
    await expect
      .poll(gaveWay, { message: 'the lane has room for one' })
      .toEqual(Array.from({ length: longCount - 1 }, () => ({ ended_by: 'neighbour' })));
    await untilComplete(light, await submitVideos(light, shortVideo, 1));
    resume();
    await untilComplete(heavy, long);
  }, 300_000);

  test('stops in time while it examines a long video, which the next worker completes', async () => {
    const { makeWorkspace, startWorker, untilSuspended, resume } = await open();
    const { live } = await makeWorkspace();
    const long = await submitVideos(live, longVideo, 1);
    const worker = await startWorker();
    await untilSuspended();
    await untilComplete(live, await submitVideos(live, shortVideo, 1)); // the long one has left its slot
    const late = sleep(stopSecondsMax * 1000, 'late', { ref: false });
    expect(await Promise.race([worker.stop(), late])).toBe(0);
    resume();
    await startWorker();
    await untilComplete(live, long);
  }, 300_000);
});

test('a workspace never has more in progress than its tier allows, while another workspace is not held up', async () => {
  const { db, makeWorkspace, startWorker, untilSuspended, resume } = await open({
    WORKER_QUEUES: 'control,video:4',
    EXAMINATIONS_AT_ONCE: '{"starter": 1}',
  });
  const [limited, { live: other }] = [await makeWorkspace('starter'), await makeWorkspace('pro')];
  const long = await submitVideos(limited.live, longVideo, longCount);
  await startWorker();
  await untilSuspended();
  await untilComplete(other, await submitVideos(other, shortVideo, shortCount));
  const inProgress = await db
    .selectFrom('examination_tries')
    .select('asset_id')
    .where('workspace_id', '=', limited.workspaceId)
    .execute();
  expect(inProgress).toHaveLength(1);
  const waiting = (await statusesOf(limited.live, long)).filter((status) => status === 'submitted');
  expect(waiting, 'what waits says so').toHaveLength(longCount - 1);
  resume();
  await untilComplete(limited.live, long);
}, 300_000);
