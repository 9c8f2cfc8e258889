import { makePdf } from '@assay/testing/media/samples.ts';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import type { Client } from '@assay/testing/service/client.ts';
import { recordCalls, statementsAbout } from '@assay/testing/service/record-calls.ts';
import { assetPath, submit, submitAndCancel, uploadText } from '@assay/testing/service/submissions.ts';
import { describe, expect, test } from 'vitest';
import { expectNumbers } from './expect-cost.ts';

// What a submission costs the API, the worker and the engine together until it is finished. The benches `submissions`
// and `cost` measure how long that takes.

// One document at a time, because each examining process takes a moment to start.
const workerQueues = 'control,document:1,sandbox';
const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: workerQueues, SWEEP_SECONDS: '3600' });
const apiWithoutWorker = await openTestApi(liftedLimits); // without a worker: submissions stay queued
await openTestWorker(api.config);
const { workflow: engine } = api.handles.workflows.client;
const { workspaceId, liveKey, sandboxKey } = await api.makeWorkspace();
const live = api.client(liveKey);
const sandbox = api.client(sandboxKey);

/** The length of `times`, which is a part of every run's input. */
const timesBytes = JSON.stringify({ times: api.handles.workflows.times }).length;

const uploadFiles = (client: Client, count: number) =>
  Promise.all(Array.from({ length: count }, () => uploadText(client)));

type StartedRun = { submissionId: string; workflowId: string };

async function expectRun(
  what: string,
  start: () => Promise<StartedRun>,
  expected: Record<'sql' | 'redis' | 'storage' | 'steps' | 'payloadBytes', number> & { workflowTasksMax: number },
): Promise<void> {
  let started: StartedRun = { submissionId: '', workflowId: '' };
  const { sql, redis, storage } = await recordCalls(async () => {
    started = await start();
    await engine.getHandle(started.workflowId).result();
  });
  // Progress is reported once a second, so there are reports only on a slow machine. They are not counted.
  const isProgress = ({ text }: { text: string }) => text.includes('progress_percent <');
  const about = statementsAbout(sql, [workspaceId, started.submissionId]);
  const statements = about.filter((one) => !isProgress(one));
  const { steps, workflowTasks, payloadBytes } = await readHistory(started.workflowId);
  const { workflowTasksMax, ...numbers } = expected;
  const actual = {
    sql: statements.length,
    redis: redis.length - (about.length - statements.length), // each progress report is published too
    storage: storage.length,
    steps: steps.length,
    payloadBytes,
  };
  const list = [...statements.map(({ text }) => text.replaceAll(/\s+/g, ' ').slice(0, 160)), ...redis, ...steps];
  expectNumbers(what, actual, numbers, list);
  expect(workflowTasks, `${what}: workflow tasks`).toBeLessThanOrEqual(workflowTasksMax);
}

/**
 * `steps` are the events without those of workflow tasks, whose number depends on how many results arrive together.
 * `payloadBytes` are the inputs and results; what the SDK itself records contains times and has no fixed length.
 */
async function readHistory(workflowId: string) {
  const { events = [] } = await engine.getHandle(workflowId).fetchHistory();
  const names = (events ?? []).map((event) => Object.keys(event).find((key) => key.endsWith('Attributes')) ?? '');
  const payloads = (events ?? []).flatMap((event) => [
    ...(event.workflowExecutionStartedEventAttributes?.input?.payloads ?? []),
    ...(event.activityTaskScheduledEventAttributes?.input?.payloads ?? []),
    ...(event.activityTaskCompletedEventAttributes?.result?.payloads ?? []),
    ...(event.workflowExecutionCompletedEventAttributes?.result?.payloads ?? []),
  ]);
  return {
    steps: names.filter((name) => !name.startsWith('workflowTask')),
    workflowTasks: names.filter((name) => name.startsWith('workflowTaskCompleted')).length,
    payloadBytes: payloads.reduce((sum, { data }) => sum + (data?.length ?? 0), 0),
  };
}

// Retried, because on a busy machine the engine may not accept a run in time, which is then left to the sweeper.
describe('what a submission costs', { retry: 2 }, () => {
  test.each([1, 10])('a live submission with %i asset(s) causes the expected number of calls', async (assetCount) => {
    const blobPaths = await uploadFiles(live, assetCount);
    await expectRun(`live, ${assetCount} assets`, () => submit(live, blobPaths), {
      sql: 4 + 21 * assetCount,
      redis: 1 + 5 * assetCount,
      storage: 2 * assetCount, // the first bytes for the request, all of them for the examination
      steps: 2 + 4 * assetCount,
      payloadBytes: 143 + timesBytes + 254 * assetCount,
      workflowTasksMax: 1 + assetCount,
    });
  });

  test('a live submission with 1 asset and two issues causes the expected number of calls', async () => {
    const pdf = makePdf('/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>');
    const { body } = await live.uploadFile('leaflet.pdf', pdf);
    await expectRun('1 asset with two issues', () => submit(live, [body.blobPath]), {
      ...{ sql: 4 + 21 + 3, redis: 6, storage: 2, steps: 6, payloadBytes: 397 + timesBytes, workflowTasksMax: 2 },
    });
  });

  test('a retry of 1 of 10 live assets causes the expected number of calls', async () => {
    const cancelled = await submitAndCancel(apiWithoutWorker.client(liveKey), 10);
    const retry = async () => (await live.post(`${assetPath(cancelled)}/retry`)).body;
    await expectRun('a retry', retry, {
      ...{ sql: 10 + 21, redis: 7, storage: 1, steps: 6, payloadBytes: 397 + timesBytes, workflowTasksMax: 2 },
    });
  });

  test.each([1, 10])(
    'a sandbox submission with %i asset(s) causes the expected number of calls',
    async (assetCount) => {
      const blobPaths = await uploadFiles(sandbox, assetCount);
      await expectRun(`sandbox, ${assetCount} assets`, () => submit(sandbox, blobPaths), {
        ...{ sql: 6, redis: 3, storage: assetCount, steps: 4 },
        payloadBytes: 143 + timesBytes + 85 * assetCount,
        workflowTasksMax: 1,
      });
    },
  );

  test('an examination downloads a file once', async () => {
    const text = 'a\n'.repeat(2 * 1024 * 1024);
    const blobPath = await uploadText(live, 'long.txt', text);
    const { storage } = await recordCalls(async () => {
      const { workflowId } = await submit(live, [blobPath]);
      await engine.getHandle(workflowId).result();
    });
    // POST /submissions reads at most 64 KiB of a file, so any longer read is a download.
    const downloads = storage.map(({ receivedBytes }) => receivedBytes).filter((bytes) => bytes > 64 * 1024);
    const actual = { requests: downloads.length, bytes: downloads.reduce((sum, bytes) => sum + bytes, 0) };
    expectNumbers('the download of 4 MiB', actual, { requests: 1, bytes: text.length });
  });
});
