import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { directUploadBytesMax } from '@assay/contract/limits.ts';
import { liftedLimits, openTestApi, testEnvironment } from '@assay/testing/service/api.ts';
import { startServerProcess } from '@assay/testing/service/api-process.ts';
import { createClient } from '@assay/testing/service/client.ts';
import { openContainer } from '@assay/testing/storage/blobs.ts';
import { afterAll, expect, test } from 'vitest';

/**
 * `UPLOADS=200` in the nightly run. Even the short run has far more uploads than the 24 that a process reads at once.
 */
const uploadCount = Number(process.env.UPLOADS ?? 60);
const growthBytesMax = 100 * 1000 * 1000;

const api = await startServerProcess('api', testEnvironment(liftedLimits));
const { config, makeWorkspace } = await openTestApi();
const { liveKey } = await makeWorkspace();
const container = openContainer(config);
const client = createClient(api.url, liveKey);
afterAll(() => api.stop());

const file = randomBytes(directUploadBytesMax);
file.write('RIFF\0\0\0\0WAVEfmt ', 'latin1');

// Prepared as a buffer: making 200 forms would cost this process more than receiving them costs the API.
const boundary = 'x'.repeat(40);
function upload(filename: string) {
  const disposition = `form-data; name="file"; filename="${filename}"`;
  const head = `--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: audio/wav\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  return client.send('POST', '/uploads/direct', { body, headers });
}

test(`${uploadCount} concurrent uploads of 10 MB grow the resident memory of the API by at most 100 MB`, async () => {
  for (let i = 0; i < 20; i++) await upload('warm-up.wav'); // memory that a busy process has anyway
  await sleep(500);
  const before = api.rssBytes();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, api.rssBytes());
  }, 20);
  const responses = await Promise.all(Array.from({ length: uploadCount }, (_, i) => upload(`${i}.wav`)));
  clearInterval(watch);
  const toMB = (bytes: number) => (bytes / 1e6).toFixed(0);
  console.log(`resident memory: ${toMB(before)} MB before, ${toMB(peak)} MB at most`);
  // Two gigabytes per run would soon fill a developer's disk.
  await Promise.all(responses.map(({ body }) => container.getBlobClient(body.blobPath).deleteIfExists()));
  expect(responses.map(({ status }) => status)).toEqual(Array(uploadCount).fill(201));
  expect(peak - before).toBeLessThanOrEqual(growthBytesMax);
}, 300_000);
