import { createHash, randomFillSync } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Assay, type LocalFile } from '@assay/sdk';
import { openFile } from '@assay/sdk/node';
import { type Config, readConfig } from '@assay/server/config/config.ts';
import { type Storage, storages } from '@assay/stack/instance.ts';
import { openFlakyProxy, type ProxiedRequest } from '@assay/testing/faults/flaky-proxy.ts';
import { liftedLimits, openTestApi, testEnvironment } from '@assay/testing/service/api.ts';
import { openContainer } from '@assay/testing/storage/blobs.ts';
import { openFlakyStorage } from '@assay/testing/storage/flaky-storage.ts';
import { stores } from '@assay/testing/storage/stores.ts';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';

const MiB = 1024 * 1024;
const partBytes = 8 * MiB;
/** Files of more than 64 MiB are sent in parts. This size results in nine parts. */
const largeMegabytes = 66;
// At full size: UPLOAD_MEGABYTES=300 pnpm exec vitest run big-upload
const fileMegabytes = Number(process.env.UPLOAD_MEGABYTES ?? largeMegabytes);
const hourMillis = 60 * 60 * 1000;
const folder = mkdtempSync(join(tmpdir(), 'assay-big-upload-'));
afterAll(() => rmSync(folder, { recursive: true }));

afterEach(() => vi.useRealTimers());

const defaultApi = await openTestApi();

/** A service whose storage is reached through a proxy with this fault. */
async function openService(fault: string, storage: Storage = defaultApi.config.OBJECT_STORE) {
  const store = stores.find(({ environment }) => environment.OBJECT_STORE === storage);
  const environment = { ...liftedLimits, ...store?.environment };
  const direct = readConfig(testEnvironment(environment));
  const flaky = await openFlakyStorage(direct, fault);
  const api = await openTestApi({ ...environment, ...flaky.environment });
  const service = await openFlakyProxy({ api: api.url });
  afterAll(service.close);
  const { liveKey } = await api.makeWorkspace();
  return {
    api,
    assay: new Assay({ apiKey: liveKey, baseUrl: `${service.url}/api/${fault}/calm` }),
    /** Paths of the requests to the service, without the segments that the proxy reads. */
    asked: () => service.seen(fault).map(({ path }) => path.split('/').slice(3).join('/')),
    /** Requests to storage. */
    put: flaky.seen,
    /** Returns the hash of the stored file, and deletes the file. */
    takeStored: (blobPath: string) => takeStored(direct, blobPath),
  };
}

/** For tests that need no faults. */
const reliableService = await openService('calm');
const largeFile = await makeFile('large.mp4', largeMegabytes);

async function makeFile(name: string, sizeMiB: number): Promise<{ file: LocalFile; path: string; sha256: string }> {
  const path = join(folder, name);
  const descriptor = openSync(path, 'w');
  const hash = createHash('sha256');
  const piece = Buffer.alloc(MiB);
  for (let i = 0; i < sizeMiB; i++) {
    hash.update(randomFillSync(piece));
    writeSync(descriptor, piece);
  }
  closeSync(descriptor);
  return { file: await openFile(path), path, sha256: hash.digest('hex') };
}

async function takeStored(config: Config, blobPath: string): Promise<string> {
  const blob = openContainer(config).getBlobClient(blobPath);
  const { readableStreamBody } = await blob.download();
  const hash = createHash('sha256');
  for await (const piece of readableStreamBody ?? []) hash.update(piece);
  await blob.delete();
  return hash.digest('hex');
}

describe.each(storages)('uploads.upload, with storage in %s', (storage) => {
  test(`sends ${fileMegabytes} MB intact without new URLs although every fifth request to storage fails`, async () => {
    const { assay, asked, put, takeStored } = await openService('fifth', storage);
    const { file, sha256 } = await makeFile(`${storage}.mp4`, fileMegabytes);
    const begin = performance.now();
    const { blobPath, sizeBytes } = await assay.uploads.upload(file, { filename: 'video.mp4' });
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    expect(sizeBytes).toBe(fileMegabytes * MiB);
    const failed = put().filter(({ effect }) => effect !== 'passed');
    console.log(
      `${fileMegabytes} MiB to ${storage} in ${seconds} s: ${put().length} requests, ${failed.length} failed`,
    );
    expect(failed.length).toBe(Math.floor(put().length / 5));
    expect(put().length - failed.length).toBe(Math.ceil(file.size / partBytes));
    expect(new Set(failed.map(({ effect }) => effect))).toEqual(new Set(['torn', 'answer']));
    expect(put().filter(({ hasApiKey }) => hasApiKey)).toEqual([]);
    expect(asked()).toEqual(['uploads/url', 'uploads/parts', 'uploads/parts/complete']);
    expect(await takeStored(blobPath)).toBe(sha256);
  });
});

describe('uploads.upload', () => {
  test('gets new URLs for a large file if the first URLs expire earlier than the caller’s clock indicates', async () => {
    const { api, assay, asked, put, takeStored } = await openService('late-9000-3');
    const { file, sha256 } = largeFile;
    // The URLs are valid for six seconds and the first three requests take nine, but the local clock is an hour behind.
    const now = () => new Date(performance.timeOrigin + performance.now() - hourMillis + 6_000);
    api.handles.clock = { now };
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - hourMillis });
    const { blobPath } = await assay.uploads.upload(file, { filename: 'late.mp4', concurrency: 3 });
    vi.useRealTimers();
    // A store that rejects a request without reading its body may close the connection, so there may be no status.
    expect(put().slice(0, 3).map(isUploadAccepted)).not.toContain(true);
    expect(put()).toContainEqual(expect.objectContaining({ status: 403 }));
    expect(asked().filter((path) => path === 'uploads/parts').length).toBeGreaterThan(1);
    expect(await takeStored(blobPath)).toBe(sha256);
  });

  test('renews the URLs of a large file before they expire, so that storage never rejects one', async () => {
    const { api, assay, asked, put, takeStored } = await openService('calm');
    api.handles.clock = { now: () => new Date(Date.now() - hourMillis + 50_000) };
    const { file, sha256 } = largeFile;
    const { blobPath } = await assay.uploads.upload(file, { filename: 'ahead.mp4', concurrency: 1 });
    expect(put().every(isUploadAccepted)).toBe(true);
    expect(asked().slice(0, 3)).toEqual(['uploads/url', 'uploads/parts', 'uploads/parts']);
    expect(await takeStored(blobPath)).toBe(sha256);
  });

  test.each([
    ['grows', 'in parts', largeMegabytes, appendFileSync],
    ['shrinks', 'in parts', largeMegabytes, (path: string) => truncateSync(path, MiB)],
    ['grows', 'in one request', 3, appendFileSync],
    ['shrinks', 'in one request', 3, (path: string) => truncateSync(path, MiB)],
  ])('rejects with file_changed a file that %s while it is sent %s', async (_, __, sizeMiB, change) => {
    const { api } = reliableService;
    const { liveKey } = await api.makeWorkspace();
    const { file, path } = await makeFile('changed.mp4', sizeMiB);
    const asked: string[] = [];
    const changing: typeof fetch = (url, request) => {
      asked.push(new URL(String(url)).pathname);
      if (request?.method === 'PUT') change(path, 'more');
      return fetch(url, request);
    };
    const assay = new Assay({ apiKey: liveKey, baseUrl: api.url, fetch: changing });
    await expect(assay.uploads.upload(file)).rejects.toMatchObject({
      name: 'InvalidFileError',
      code: 'file_changed',
    });
    expect(asked.filter((one) => /uploads\/(url|parts\/complete)$/.test(one))).toEqual([
      '/api/integrations/uploads/url',
    ]);
  });

  test('throws if the stored content differs from the file', async () => {
    const { api } = reliableService;
    const { liveKey } = await api.makeWorkspace();
    const path = join(folder, 'small.txt');
    writeFileSync(path, 'a small text');
    const altering: typeof fetch = async (url, request) => {
      const body = (await (await fetch(url, request)).json()) as object;
      return Response.json({ ...body, contentSha256: '0'.repeat(64) });
    };
    const assay = new Assay({ apiKey: liveKey, baseUrl: api.url, fetch: altering });
    await expect(assay.uploads.upload(await openFile(path))).rejects.toThrow('The stored file differs');
  });

  test('can upload to an earlier version of the service, which does not accept a hash', async () => {
    const { api, takeStored } = reliableService;
    const { liveKey } = await api.makeWorkspace();
    const { file, sha256 } = await makeFile('earlier.mp4', 2);
    const earlier: typeof fetch = (url, request) => {
      if (typeof request?.body !== 'string') return fetch(url, request);
      return fetch(url, { ...request, body: request.body.replace('contentSha256', 'notKnownYet') }).then(
        renameUnknownField,
      );
    };
    const assay = new Assay({ apiKey: liveKey, baseUrl: api.url, fetch: earlier });
    const { blobPath } = await assay.uploads.upload(file);
    expect(await takeStored(blobPath)).toBe(sha256);
  });

  test('sends a file that is smaller than a part in one request', async () => {
    const { assay, asked, put, takeStored } = await openService('calm');
    const { file, sha256 } = largeFile;
    const { blobPath } = await assay.uploads.upload(file, { filename: 'whole.mp4', partBytes: 67 * MiB });
    expect([asked(), put().length]).toEqual([['uploads/url'], 1]);
    expect(await takeStored(blobPath)).toBe(sha256);
  });

  test('succeeds even if the first response to the completion request is lost', async () => {
    const { api } = reliableService;
    const { liveKey } = await api.makeWorkspace();
    const isLost = { value: false };
    const unreliable: typeof fetch = async (url, request) => {
      const response = await fetch(url, request);
      if (!String(url).endsWith('/complete') || isLost.value) return response;
      isLost.value = true;
      throw new TypeError('lost');
    };
    const assay = new Assay({ apiKey: liveKey, baseUrl: api.url, fetch: unreliable });
    const { file } = largeFile;
    const { sizeBytes } = await assay.uploads.upload(file, { filename: 'lost.mp4' });
    expect([isLost.value, sizeBytes]).toEqual([true, file.size]);
  });
});

/** Makes the error about the unknown field look as if it were about the hash. */
async function renameUnknownField(response: Response): Promise<Response> {
  const text = await response.text();
  return new Response(text.replaceAll('notKnownYet', 'contentSha256'), response);
}

const isUploadAccepted = ({ status }: ProxiedRequest) => status === 200 || status === 201;
