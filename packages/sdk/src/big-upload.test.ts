import { createHash, randomFillSync } from 'node:crypto';
import { closeSync, mkdtempSync, openAsBlob, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Assay } from '@assay/sdk';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { openInstance, s3EnvironmentOf } from '../../../stack/instance.ts';
import { liftedLimits, openTestApi } from '../../../test/support/api.ts';
import { openContainer } from '../../../test/support/blobs.ts';
import { openFlakyProxy } from '../../../test/support/flaky-proxy.ts';

const MiB = 1024 * 1024;
const hourMillis = 60 * 60 * 1000;
const folder = mkdtempSync(join(tmpdir(), 'assay-big-upload-'));
const storage = await openFlakyProxy();
afterAll(() => {
  storage.close();
  rmSync(folder, { recursive: true });
});

afterEach(() => vi.useRealTimers());

/** A service whose storage is reached by a way on which that goes wrong. */
async function openService(fault: string) {
  const { BLOB_ACCOUNT } = inspected.config;
  const BLOB_PUBLIC_URL = `${storage.url}/storage/${fault}/${fault}/${BLOB_ACCOUNT}`;
  const api = await openTestApi({ ...liftedLimits, BLOB_PUBLIC_URL });
  const service = await openFlakyProxy({ api: api.url });
  afterAll(service.close);
  const { liveKey } = await api.makeWorkspace();
  return {
    api,
    assay: new Assay({ apiKey: liveKey, baseUrl: `${service.url}/api/${fault}/calm` }),
    /** What was asked of the service, without what stands before it. */
    asked: () => service.seen(fault).map(({ path }) => path.split('/').slice(3).join('/')),
    /** What was asked of the storage. */
    put: () => storage.seen(fault),
  };
}
const inspected = await openTestApi();
storage.leadTo('storage', new URL(inspected.config.BLOB_URL).origin);

async function makeFile(name: string, sizeMiB: number): Promise<{ file: Blob; sha256: string }> {
  const path = join(folder, name);
  const descriptor = openSync(path, 'w');
  const hash = createHash('sha256');
  const piece = Buffer.alloc(MiB);
  for (let i = 0; i < sizeMiB; i++) {
    hash.update(randomFillSync(piece));
    writeSync(descriptor, piece);
  }
  closeSync(descriptor);
  return { file: await openAsBlob(path), sha256: hash.digest('hex') };
}

/** What the storage holds, which is then removed. */
async function takeStored(blobPath: string): Promise<string> {
  const blob = openContainer(inspected.config).getBlobClient(blobPath);
  const { readableStreamBody } = await blob.download();
  const hash = createHash('sha256');
  for await (const piece of readableStreamBody ?? []) hash.update(piece);
  await blob.delete();
  return hash.digest('hex');
}

describe('a large file', () => {
  test('of 300 MB arrives intact although every fifth request to storage fails', async () => {
    const { assay, put } = await openService('fifth');
    const { file, sha256 } = await makeFile('video.mp4', 300);
    const { blobPath, sizeBytes } = await assay.uploads.upload(file, { filename: 'video.mp4' });
    expect(sizeBytes).toBe(300 * MiB);
    const failed = put().filter(({ fate }) => fate !== 'passed');
    expect(failed.length).toBe(Math.floor(put().length / 5));
    expect(failed.length).toBeGreaterThanOrEqual(8);
    expect(new Set(failed.map(({ fate }) => fate))).toEqual(new Set(['torn', 'answer']));
    expect(put().filter(({ hasApiKey }) => hasApiKey)).toEqual([]);
    expect(await takeStored(blobPath)).toBe(sha256);
  });

  test('whose URL expires earlier than the caller’s clock says gets a new one, and arrives intact', async () => {
    const { api, assay, asked, put } = await openService('late-9000-3');
    const { file, sha256 } = await makeFile('late.mp4', 66);
    // Good for six seconds, while the first three requests take nine; but this machine is an hour behind.
    const now = () => new Date(performance.timeOrigin + performance.now() - hourMillis + 6_000);
    api.handles.clock = { now };
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - hourMillis });
    const { blobPath } = await assay.uploads.upload(file, { filename: 'late.mp4', concurrency: 3 });
    vi.useRealTimers();
    // A storage that does not read on may also break the connection.
    expect(put().slice(0, 3)).not.toContainEqual(expect.objectContaining({ status: 201 }));
    expect(put()).toContainEqual(expect.objectContaining({ status: 403 }));
    expect(asked()).toContain('uploads/renew');
    expect(await takeStored(blobPath)).toBe(sha256);
  });

  test('has its URL renewed before it expires, so that storage never rejects it', async () => {
    const { api, assay, asked, put } = await openService('calm');
    api.handles.clock = { now: () => new Date(Date.now() - hourMillis + 50_000) };
    const { file, sha256 } = await makeFile('ahead.mp4', 66);
    const { blobPath } = await assay.uploads.upload(file, { filename: 'ahead.mp4', concurrency: 1 });
    expect(new Set(put().map(({ status }) => status))).toEqual(new Set([201]));
    expect(asked().slice(0, 2)).toEqual(['uploads/url', 'uploads/renew']);
    expect(await takeStored(blobPath)).toBe(sha256);
  });

  test('goes to S3, which takes no blocks, in one request', async () => {
    const api = await openTestApi({ ...liftedLimits, ...s3EnvironmentOf(openInstance('test')) });
    const { liveKey } = await api.makeWorkspace();
    const { file, sha256 } = await makeFile('s3.mp4', 66);
    const assay = new Assay({ apiKey: liveKey, baseUrl: api.url });
    const { blobPath } = await assay.uploads.upload(file, { filename: 's3.mp4' });
    const { blobs } = api.handles;
    const signal = AbortSignal.timeout(60_000);
    const stored = await blobs.openSnapshot(blobs.home, blobPath, signal);
    const hash = createHash('sha256');
    for await (const piece of (await blobs.download(blobs.home, blobPath, stored?.etag ?? '', signal)) ?? [])
      hash.update(piece);
    await blobs.removeAll(blobs.home, blobPath);
    expect(hash.digest('hex')).toBe(sha256);
  });

  test('that changes while it is read is rejected with that reason', async () => {
    const { assay } = await openService('calm-changed');
    const { file } = await makeFile('changed.mp4', 66);
    writeFileSync(join(folder, 'changed.mp4'), 'shorter');
    await expect(assay.uploads.upload(file, { filename: 'changed.mp4' })).rejects.toThrow('The file changed');
  });

  test('keeps its URL while it is valid', async () => {
    const { assay, asked } = await openService('calm-too');
    const { file, sha256 } = await makeFile('calm.mp4', 66);
    const { blobPath } = await assay.uploads.upload(file, { filename: 'calm.mp4' });
    expect(asked()).toEqual(['uploads/url']);
    expect(await takeStored(blobPath)).toBe(sha256);
  });
});
