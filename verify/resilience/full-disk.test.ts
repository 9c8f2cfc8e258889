import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withScratchFile } from '@assay/server/modules/uploads/scratch-file.ts';
import { Outage } from '@assay/server/platform/outage.ts';
import { liftedLimits, openTestApi, testEnvironment } from '@assay/testing/service/api.ts';
import { startServerProcess } from '@assay/testing/service/api-process.ts';
import { createClient } from '@assay/testing/service/client.ts';
import { engineTimes } from '@assay/testing/service/engine-times.ts';
import { submit, untilFinished, uploadText } from '@assay/testing/service/submissions.ts';
import { afterAll, expect, onTestFinished, test } from 'vitest';

// A separate disk that is too small for the file.
const disk = mkdtempSync(join(tmpdir(), 'assay-disk-'));
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'assay-test', disk]);
afterAll(() => {
  execFileSync('umount', [disk]);
  rmSync(disk, { recursive: true });
});
/** Longer than it takes until a worker takes an asset, and until it checks its parts again. */
const waitedMillis = 10_000;
const WORKER_QUEUES = 'control,document';
const environment = { ...testEnvironment({ ...liftedLimits, ...engineTimes, WORKER_QUEUES }), TMPDIR: disk };
const api = await openTestApi(environment);

test('a worker with a full disk says so on /readyz and takes no asset, which completes once there is space', async () => {
  const worker = await startServerProcess('worker', environment);
  try {
    const client = api.client((await api.makeWorkspace()).liveKey);
    const { submissionId } = await submit(client, [await uploadText(client, 'long.txt', 'hello '.repeat(1_500_000))]);
    const ready = async () => {
      const response = await fetch(`${worker.metricsUrl}/readyz`);
      return [response.status, ((await response.json()) as { parts: Record<string, string> }).parts.disk];
    };
    await expect.poll(ready).toEqual([503, 'down']);
    await sleep(waitedMillis);
    expect(await api.handles.db.selectFrom('examination_tries').select('ended_by').execute()).toEqual([]);
    expect((await client.get(`/submissions/${submissionId}`)).body.status).toBe('submitted');

    execFileSync('mount', ['-o', 'remount,size=400m', disk]);
    expect(await untilFinished(client, submissionId)).toMatchObject({ status: 'complete' });
    await expect.poll(ready).toEqual([200, 'up']);
  } finally {
    await worker.stop('SIGKILL');
  }
}, 180_000);

test('a direct upload gets 502 while the disk of the API is full, and 201 once there is space', async () => {
  execFileSync('mount', ['-o', 'remount,size=4m', disk]);
  const server = await startServerProcess('api', environment);
  try {
    const { liveKey } = await api.makeWorkspace();
    const upload = () => createClient(server.url, liveKey).uploadFile('long.txt', 'hello '.repeat(1_500_000));
    expect(await upload()).toMatchObject({ status: 502, body: { code: 'service_unavailable' } });
    execFileSync('mount', ['-o', 'remount,size=400m', disk]);
    expect((await upload()).status).toBe(201);
  } finally {
    await server.stop();
  }
}, 180_000);

test('withScratchFile reports an outage for a file whose last bytes do not fit on the disk instead of truncating it', async () => {
  execFileSync('mount', ['-o', 'remount,size=4m', disk]);
  const before = process.env.TMPDIR;
  process.env.TMPDIR = disk;
  onTestFinished(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });
  // The last write of the second file is partial.
  const pieces = async function* () {
    for (const megabytes of [3, 2]) yield Buffer.alloc(megabytes * 1024 * 1024);
  };
  await expect(withScratchFile(pieces(), async () => 'stored')).rejects.toThrow(Outage);
});
