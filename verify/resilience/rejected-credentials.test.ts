import { readConfig } from '@assay/server/config/config.ts';
import { startWorker } from '@assay/server/start/worker.ts';
import { liftedLimits, openTestApi, testEnvironment } from '@assay/testing/service/api.ts';
import { engineTimes } from '@assay/testing/service/engine-times.ts';
import { submit, untilFinished, uploadText } from '@assay/testing/service/submissions.ts';
import { afterAll, expect, test } from 'vitest';

// Storage that rejects the credentials of one worker: its key was rotated, a role lost a permission, or its clock is off.
// Until this was an outage, the worker failed the assets that it took with internal_error, faster than others could
// examine them.

const settings = testEnvironment({ ...liftedLimits, ...engineTimes, WORKER_QUEUES: 'control,document' });
const api = await openTestApi(settings);
const client = api.client((await api.makeWorkspace()).liveKey);
const fileCount = 4;

async function openWorker(overrides: Record<string, string> = {}) {
  const running = await startWorker(readConfig({ ...settings, ...overrides }));
  afterAll(() => running.stop());
  const read = async (path: string) => (await fetch(new URL(path, running.metricsUrl))).text();
  return {
    readiness: async () => JSON.parse(await read('/readyz')),
    countWaiting: async () =>
      Number(/^assay_queue_waiting\{queue="document"\} (\d+)/m.exec(await read('/metrics'))?.[1]),
  };
}

const wrongKeys = {
  BLOB_ACCOUNT_KEY: Buffer.from('another').toString('base64'),
  ...(settings.S3_SECRET_ACCESS_KEY && { S3_SECRET_ACCESS_KEY: 'another' }),
};

const countTries = async () => (await api.handles.db.selectFrom('examination_tries').selectAll().execute()).length;

test('a worker whose credentials are rejected leaves files to workers that can read them', async () => {
  const broken = await openWorker(wrongKeys);
  expect(await broken.readiness()).toMatchObject({ status: 'not ready', parts: { blobs: 'down' } });
  const paths = await Promise.all(Array.from({ length: fileCount }, (_, i) => uploadText(client, `${i}.txt`)));
  const created = await Promise.all(paths.map((path) => submit(client, [path])));
  await expect.poll(broken.countWaiting, { timeout: 60_000, interval: 500 }).toBe(fileCount);
  expect(await countTries()).toBe(0);

  await openWorker();
  const ended = await Promise.all(created.map(({ submissionId }) => untilFinished(client, submissionId)));
  expect(ended.map(({ status }) => status)).toEqual(created.map(() => 'complete'));
});
