import { randomBytes, randomUUID } from 'node:crypto';
import { stores } from '@assay/testing/storage/stores.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openBlobs } from './blobs.ts';

const MiB = 1024 * 1024;
const signal = AbortSignal.timeout(600_000);
const inAnHour = () => new Date(Date.now() + 3_600_000);
const contentType = 'video/mp4';
const send = async (url: string | undefined, body: Buffer | string) =>
  (await fetch(url as string, { method: 'PUT', body })).status;

describe.each(stores)('uploads in parts to $name', ({ settings, storedStatus }) => {
  const blobs = openBlobs(settings);
  const { home } = blobs;

  async function begin(filename = "ad (1) é&?#%+'!*.mp4") {
    const name = `${randomUUID()}/${randomUUID()}-${filename}`;
    onTestFinished(() => blobs.removeAll(home, name));
    const uploads = await blobs.partUploadsOf(home, name);
    return { name, uploads, uploadId: await uploads.open(contentType) };
  }
  async function read(name: string) {
    const snapshot = await blobs.openSnapshot(home, name, signal);
    const bytes = snapshot && (await blobs.download(home, name, snapshot.etag, signal));
    return bytes && Buffer.concat(await Array.fromAsync(bytes));
  }
  const sizesOf = (parts: { partNumber: number; sizeBytes: number }[] | undefined) =>
    parts?.map(({ partNumber, sizeBytes }) => [partNumber, sizeBytes]);

  test('parts that are sent in any order, some of them twice, become one blob', async () => {
    const { name, uploads, uploadId } = await begin();
    const [first, second, last] = [randomBytes(5 * MiB), randomBytes(5 * MiB + 1), randomBytes(17)];
    const urls = await uploads.sign(uploadId, 3, inAnHour());
    expect(await uploads.list(uploadId)).toEqual([]);
    for (const [url, body] of [
      [urls[2], last],
      [urls[0], second],
      [urls[1], second],
      [urls[0], first],
    ] as const) {
      expect(await send(url, body)).toBe(storedStatus);
    }
    const stored = (await uploads.list(uploadId)) ?? [];
    expect(sizesOf(stored)).toEqual([
      [1, first.length],
      [2, second.length],
      [3, 17],
    ]);
    expect(await uploads.storedBytes()).toBeUndefined();
    expect(await uploads.complete(uploadId, stored, contentType)).toBe(true);
    expect((await read(name))?.equals(Buffer.concat([first, second, last]))).toBe(true);
    expect(await uploads.storedBytes()).toBe(first.length + second.length + 17);
  });

  test('an upload that has ended has no parts, and completing it again changes nothing', async () => {
    const { name, uploads, uploadId } = await begin();
    const [url] = await uploads.sign(uploadId, 1, inAnHour());
    await send(url, 'whole');
    const stored = (await uploads.list(uploadId)) ?? [];
    await uploads.complete(uploadId, stored, contentType);
    const { etag } = (await blobs.openSnapshot(home, name, signal)) ?? {};
    expect(await uploads.list(uploadId)).toBeUndefined();
    await uploads.complete(uploadId, stored, contentType);
    expect((await blobs.openSnapshot(home, name, signal))?.etag).toBe(etag);
    await uploads.abort(uploadId);
    expect((await read(name))?.toString()).toBe('whole');
  });

  test('a blob that several requests complete at once is written once', async () => {
    for (let round = 0; round < 10; round++) {
      const { name, uploads, uploadId } = await begin();
      const [url] = await uploads.sign(uploadId, 1, inAnHour());
      await send(url, 'whole');
      const stored = (await uploads.list(uploadId)) ?? [];
      const etags = Array.from({ length: 4 }, async () => {
        await uploads.complete(uploadId, stored, contentType);
        return (await blobs.openSnapshot(home, name, signal))?.etag;
      });
      // Undefined if `complete` returned while another call was joining the parts.
      const seen = new Set((await Promise.all(etags)).filter((etag) => etag !== undefined));
      expect([...seen]).toEqual([(await blobs.openSnapshot(home, name, signal))?.etag]);
    }
  });

  test('a second upload of the same blob has its own parts and replaces the blob', async () => {
    const { name, uploads, uploadId } = await begin();
    const [url] = await uploads.sign(uploadId, 1, inAnHour());
    await send(url, 'first');
    const secondId = await uploads.open(contentType);
    expect(await uploads.list(secondId)).toEqual([]);
    const [secondUrl] = await uploads.sign(secondId, 1, inAnHour());
    await uploads.complete(uploadId, (await uploads.list(uploadId)) ?? [], contentType);
    await send(secondUrl, 'second');
    expect(await uploads.complete(secondId, (await uploads.list(secondId)) ?? [], contentType)).toBe(true);
    expect((await read(name))?.toString()).toBe('second');
  });

  test('a part that changes before it is joined is detected, or joined with its new content', async () => {
    const { name, uploads, uploadId } = await begin();
    const [url] = await uploads.sign(uploadId, 1, inAnHour());
    await send(url, 'before');
    const stored = (await uploads.list(uploadId)) ?? [];
    await send(url, 'behind');
    if (await uploads.complete(uploadId, stored, contentType)) expect((await read(name))?.toString()).toBe('behind');
    else expect(sizesOf(await uploads.list(uploadId))).toEqual([[1, 6]]);
  });

  test('deleting a blob deletes the parts of its unfinished uploads, whether or not the blob was written', async () => {
    for (const isWritten of [false, true]) {
      const { name, uploads, uploadId } = await begin('a.mp4');
      const headers = { 'x-ms-blob-type': 'BlockBlob' };
      if (isWritten) await fetch(await blobs.signUpload(home, name, inAnHour()), { method: 'PUT', headers, body: 'x' });
      const [url] = await uploads.sign(uploadId, 1, inAnHour());
      await send(url, 'part');
      const beside = await begin('beside.mp4');
      const [besideUrl] = await beside.uploads.sign(beside.uploadId, 1, inAnHour());
      await send(besideUrl, 'stays');
      await blobs.removeAll(home, name.slice(0, -'a.mp4'.length));
      expect(await read(name)).toBeUndefined();
      expect((await uploads.list(uploadId)) ?? []).toEqual([]);
      expect(sizesOf(await beside.uploads.list(beside.uploadId))).toEqual([[1, 5]]);
    }
  });

  test('aborting an upload leaves the blob as it is, and deletes the parts if the store does not do so by itself', async () => {
    const { name, uploads, uploadId } = await begin();
    const headers = { 'x-ms-blob-type': 'BlockBlob' };
    await fetch(await blobs.signUpload(home, name, inAnHour()), { method: 'PUT', headers, body: 'stays' });
    const [url] = await uploads.sign(uploadId, 1, inAnHour());
    await send(url, 'part');
    await uploads.abort(uploadId);
    await uploads.abort(uploadId); // aborting it again is not an error
    expect((await read(name))?.toString()).toBe('stays');
    if (home.store === 's3') expect(await uploads.list(uploadId)).toBeUndefined();
  });

  test('the URL of a part permits writing that part and nothing else', async () => {
    const [mine, other] = [await begin(), await begin()];
    const [url] = await mine.uploads.sign(mine.uploadId, 1, inAnHour());
    const [otherUrl] = await other.uploads.sign(other.uploadId, 1, inAnHour());
    for (const method of ['GET', 'HEAD', 'DELETE']) {
      expect((await fetch(url as string, { method })).status, method).toBeGreaterThanOrEqual(400);
    }
    const elsewhere = new URL(otherUrl as string);
    elsewhere.search = new URL(url as string).search;
    expect(await send(elsewhere.href, 'astray')).toBeGreaterThanOrEqual(400);
    const [expired] = await mine.uploads.sign(mine.uploadId, 1, new Date(Date.now() - 2000));
    expect(await send(expired, 'late')).toBe(403);
    expect([await mine.uploads.list(mine.uploadId), await other.uploads.list(other.uploadId)]).toEqual([[], []]);
  });

  test('an account that is not configured is reported as storage_unavailable', async () => {
    const { name } = await begin();
    const astray = { ...home, account: 'another' };
    await expect(blobs.partUploadsOf(astray, name)).rejects.toMatchObject({ code: 'storage_unavailable' });
  });
});
