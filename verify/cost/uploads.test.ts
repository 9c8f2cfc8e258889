import { randomFillSync } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import { afterAll, expect, test } from 'vitest';
import { createOutput } from '../../apps/cli/src/output/output.ts';
import { createProgram } from '../../apps/cli/src/program.ts';
import { wave } from '../security/poison/formats/riff.ts';
import { expectNumbers } from './expect-cost.ts';

// What `assay check` sends. The bench `check` measures how long that takes.

const MiB = 1024 * 1024;
const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'sandbox', SWEEP_SECONDS: '3600' });
await openTestWorker(api.config);
const { sandboxKey } = await api.makeWorkspace();
const folder = mkdtempSync(join(tmpdir(), 'assay-cost-'));
afterAll(() => rmSync(folder, { recursive: true }));

const audioSamples = randomFillSync(Buffer.alloc(65 * MiB));
function makeFile(name: string, sizeBytes: number): string {
  const path = join(folder, name);
  writeFileSync(path, wave({ channels: 2, rate: 48_000 }, audioSamples.subarray(0, sizeBytes)));
  return path;
}

type SentRequest = { method: string; path: string; bytes: number; isToStorage: boolean };
type RequestMessage = { request: { origin: string; method: string; path: string; contentLength: number | null } };

/** The requests of `assay check`, which runs in this process, and how many of those to storage were sent at once. */
async function runAssayCheck(files: string[]): Promise<{ sent: SentRequest[]; atOnceMax: number }> {
  const sent: SentRequest[] = [];
  const open = new Set<unknown>();
  let atOnceMax = 0;
  const create = (message: unknown) => {
    const { request } = message as RequestMessage;
    const isToStorage = request.origin !== api.url;
    const path = request.path.replace(/\?.*/, '').replaceAll(/[0-9a-f-]{36}/g, '{id}');
    sent.push({ method: request.method, path, bytes: request.contentLength ?? 0, isToStorage });
    if (isToStorage) atOnceMax = Math.max(atOnceMax, open.add(request).size);
  };
  const end = (message: unknown) => void open.delete((message as RequestMessage).request);
  const channels = { create, trailers: end, error: end };
  for (const [name, take] of Object.entries(channels)) subscribe(`undici:request:${name}`, take);
  try {
    const environment = { ASSAY_API_KEY: sandboxKey, ASSAY_BASE_URL: api.url };
    const output = createOutput(new PassThrough().resume() as unknown as NodeJS.WriteStream, environment);
    const { signal } = new AbortController();
    await createProgram({ environment, out: output, err: output, signal }).parseAsync(
      ['check', '--fail-on', 'none', ...files],
      {
        from: 'user',
      },
    );
    expect(process.exitCode).toBe(0);
  } finally {
    process.exitCode = undefined;
    for (const [name, take] of Object.entries(channels)) unsubscribe(`undici:request:${name}`, take);
  }
  // Requests that wait for the result are left out: their number depends on how long that takes.
  const isWaiting = ({ method, path }: SentRequest) =>
    method === 'GET' && /\/(realtime|submissions\/\{id\})$/.test(path);
  return { sent: sent.filter((one) => !isWaiting(one)), atOnceMax };
}

const countsOf = (sent: SentRequest[]) => ({
  'to the service': sent.filter(({ isToStorage }) => !isToStorage).length,
  'to storage': sent.filter(({ isToStorage }) => isToStorage).length,
  'bytes to storage': sent.filter(({ isToStorage }) => isToStorage).reduce((sum, { bytes }) => sum + bytes, 0),
});
const listOf = (sent: SentRequest[]) => sent.map(({ method, path, bytes }) => `${method} ${path} ${bytes} bytes`);

test('assay check sends each of 4 small and 4 larger files once, in as few requests as possible', async () => {
  const files = Array.from({ length: 8 }, (_, i) => makeFile(`audio-${i}.wav`, i < 4 ? MiB / 2 : 2 * MiB));
  const { sent } = await runAssayCheck(files);
  const expected = {
    // One request for the key and one for the submission; per file, one for its upload or URL and one for its result.
    'to the service': 2 + 8 * 2,
    'to storage': 4,
    'bytes to storage': 4 * (2 * MiB + 44),
  };
  expectNumbers('assay check of 8 files', countsOf(sent), expected, listOf(sent));
});

test('assay check sends a 65 MiB file once, in parts of 8 MiB, four at a time', async () => {
  const { sent, atOnceMax } = await runAssayCheck([makeFile('long.wav', 65 * MiB)]);
  const expected = {
    // Three requests for the key, the submission and the result; three for the file's URL, its parts' URLs, and joining
    // the parts.
    'to the service': 3 + 3,
    'to storage': 9,
    'bytes to storage': 65 * MiB + 44,
  };
  expectNumbers('assay check of 65 MiB', countsOf(sent), expected, listOf(sent));
  expectNumbers('parts', { 'at once': atOnceMax }, { 'at once': 4 });
});
