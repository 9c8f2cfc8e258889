import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { assetBytesMax, partBytesMin, partCountMax } from '@assay/contract/limits.ts';
import { liftedLimits, openTestApi, openWorkspace } from '@assay/testing/service/api.ts';
import { openFullWorkspace, smallQuota } from '@assay/testing/service/full-workspace.ts';
import { refused } from '@assay/testing/service/refused.ts';
import {
  openContainer,
  readStored,
  storageSettingsAt,
  storageUrlOf,
  storedStatus,
  toHeaders,
} from '@assay/testing/storage/blobs.ts';
import { openStorageProxy } from '@assay/testing/storage/storage-proxy.ts';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { purgeMedia } from './retention/purge-media.ts';

const api = await openTestApi(smallQuota);
const { live: client, sandbox, ...workspace } = await openWorkspace(api);
const stranger = api.client((await api.makeWorkspace()).liveKey);
const { db } = api.handles;
const hourMillis = 3_600_000;
const retentionPeriods = { unsubmittedHours: 48, mediaDays: 30, resultsDays: 365 };

const issue = async (filename = 'ad.mp4', contentType = 'video/mp4', by = client): Promise<string> =>
  (await by.post('/uploads/url', { filename, contentType })).body.blobPath;
const request = (blobPath: string, partCount: number, by = client) =>
  by.post('/uploads/parts', { blobPath, partCount });
const complete = (blobPath: string, partCount: number, by = client) =>
  by.post('/uploads/parts/complete', { blobPath, partCount });

type Parts = { method: string; headers: { name: string; value: string }[]; parts: { uploadUrl: string }[] };
async function send({ method, headers, parts }: Parts, partNumber: number, body: Buffer | string): Promise<number> {
  return (await fetch(parts[partNumber - 1]?.uploadUrl ?? '', { method, headers: toHeaders(headers), body })).status;
}
/** Requests URLs and sends all parts. */
async function sendAll(blobPath: string, bodies: (Buffer | string)[]): Promise<void> {
  const { body } = await request(blobPath, bodies.length);
  for (const [i, bytes] of bodies.entries()) expect(await send(body, i + 1, bytes)).toBe(storedStatus(api.config));
}
const rowOf = async (blobPath: string) => {
  const { rows } = await sql<{ uploadId: string | null }>`
    select part_upload_id as "uploadId" from blobs where ${blobPath} like '%' || blob_id || '%'`.execute(db);
  return rows[0];
};
/** Whether a request to storage joins parts: of Azure, or of S3. */
const isJoin = ({ method, url = '' }: IncomingMessage) =>
  (method === 'PUT' && url.includes('comp=blocklist')) || (method === 'POST' && url.includes('uploadId='));
const sizesIn = ({ parts }: { parts: { sizeBytes: number | null }[] }) => parts.map(({ sizeBytes }) => sizeBytes);

describe('POST /uploads/parts', () => {
  describe('200: a URL for each part', () => {
    test('the URLs are valid for an hour, and the parts sent to them are joined in order', async () => {
      const blobPath = await issue('Ünï "q" %41 #?&+.mp4');
      const before = Date.now();
      const { status, body } = await request(blobPath, 2);
      expect([status, body.blobPath, body.method]).toEqual([200, blobPath, 'PUT']);
      expect(Date.parse(body.expiresAt) - before).toBeGreaterThanOrEqual(hourMillis - 1000);
      expect(body.parts.map(({ partNumber }: { partNumber: number }) => partNumber)).toEqual([1, 2]);
      const [first, second] = [randomBytes(partBytesMin), randomBytes(3)];
      await send(body, 2, second);
      await send(body, 1, first);
      expect(await complete(blobPath, 2)).toMatchObject({
        status: 200,
        body: { blobPath, sizeBytes: partBytesMin + 3, contentType: 'video/mp4' },
      });
      const stored = await readStored(api.config, blobPath);
      expect(stored.contentType).toBe('video/mp4');
      expect(stored.bytes.equals(Buffer.concat([first, second]))).toBe(true);
    });

    test('a repeated request returns the sizes of the parts that are already stored', async () => {
      const blobPath = await issue();
      const { body } = await request(blobPath, 3);
      expect(sizesIn(body)).toEqual([null, null, null]);
      await send(body, 2, 'second');
      const again = await request(blobPath, 3);
      expect(sizesIn(again.body)).toEqual([null, 6, null]);
      await send(again.body, 2, 'replaced');
      expect(sizesIn((await request(blobPath, 2)).body)).toEqual([null, 8]);
    });

    test('the URLs of concurrent requests all belong to the same upload', async () => {
      for (let round = 0; round < 5; round++) {
        const blobPath = await issue();
        const responses = await Promise.all(Array.from({ length: 6 }, () => request(blobPath, 6)));
        await Promise.all(responses.map(({ body }, i) => send(body, i + 1, 'x'.repeat(i + 1))));
        expect(sizesIn((await request(blobPath, 6)).body)).toEqual([1, 2, 3, 4, 5, 6]);
      }
    });

    test(`up to ${partCountMax} parts can be requested`, async () => {
      const { status, body } = await request(await issue(), partCountMax);
      expect([status, body.parts.length]).toEqual([200, partCountMax]);
      expect(await send(body, partCountMax, 'last')).toBe(storedStatus(api.config));
    });

    test('an upload that the storage aborted is started again', async () => {
      const blobPath = await issue();
      await send((await request(blobPath, 1)).body, 1, 'gone');
      const uploads = await api.handles.blobs.partUploadsOf(api.handles.blobs.home, blobPath);
      const { uploadId } = (await rowOf(blobPath)) ?? {};
      await uploads.abort(uploadId as string);
      await api.handles.blobs.removeAll(api.handles.blobs.home, blobPath);
      const { body } = await request(blobPath, 1);
      expect(sizesIn(body)).toEqual([null]);
      await send(body, 1, 'new');
      expect(await complete(blobPath, 1)).toMatchObject({ status: 200, body: { sizeBytes: 3 } });
    });

    test('a completed file can be replaced', async () => {
      const blobPath = await issue();
      await sendAll(blobPath, ['first']);
      await complete(blobPath, 1);
      expect(sizesIn((await request(blobPath, 1)).body)).toEqual([null]);
      await sendAll(blobPath, ['second one']);
      expect(await complete(blobPath, 1)).toMatchObject({ status: 200, body: { sizeBytes: 10 } });
      expect((await readStored(api.config, blobPath)).bytes.toString()).toBe('second one');
    });
  });

  describe('403: the path does not belong to the caller', () => {
    test('invalid_blob_path is returned for a path that is unknown or of another workspace', async () => {
      const blobPath = await issue();
      for (const asking of [request, complete]) {
        expect(await asking(blobPath, 1, stranger)).toMatchObject(refused(403, 'invalid_blob_path'));
        for (const other of ['x', blobPath.padEnd(2049, 'a')]) {
          expect(await asking(other, 1)).toMatchObject(refused(403, 'invalid_blob_path'));
        }
      }
    });

    test('live_upload is returned to a sandbox key for an upload that was created with a live key', async () => {
      const blobPath = await issue();
      for (const asking of [request, complete]) {
        expect(await asking(blobPath, 1, sandbox)).toMatchObject(refused(403, 'live_upload'));
      }
    });
  });

  describe('422: an invalid request', () => {
    test('parts of a larger file for which the workspace has no room is refused with storage_quota_reached', async () => {
      const { live, blobPath } = await openFullWorkspace(api);
      const response = await live.post('/uploads/parts', { blobPath, partCount: 1 });
      expect(response).toMatchObject(refused(422, 'storage_quota_reached', '/blobPath'));
    });

    test.each([
      ['without members', {}],
      ['without a part count', { blobPath: 'x' }],
      ['with a part count of 0', { blobPath: 'x', partCount: 0 }],
      ['with a fractional part count', { blobPath: 'x', partCount: 1.5 }],
      ['with a part count over the limit', { blobPath: 'x', partCount: partCountMax + 1 }],
      ['with an unknown member', { blobPath: 'x', partCount: 1, parts: [] }],
    ])('a body %s is refused with validation_failed', async (_, json) => {
      for (const path of ['/uploads/parts', '/uploads/parts/complete']) {
        expect(await client.post(path, json)).toMatchObject(refused(422, 'validation_failed'));
      }
    });
  });
});

describe('POST /uploads/parts/complete', () => {
  describe('200: the file is stored', () => {
    test('repeated and concurrent requests all get the same response', async () => {
      const blobPath = await issue();
      await sendAll(blobPath, [randomBytes(partBytesMin), 'end']);
      const responses = await Promise.all(Array.from({ length: 4 }, () => complete(blobPath, 2)));
      responses.push(await complete(blobPath, 2));
      const expected = { blobPath, sizeBytes: partBytesMin + 3, contentType: 'video/mp4' };
      expect(responses.map(({ status, body }) => ({ status, body }))).toEqual(
        Array.from({ length: 5 }, () => ({ status: 200, body: expected })),
      );
      expect(await rowOf(blobPath)).toEqual({ uploadId: null });
    });

    test('a repeated request succeeds even if the service stopped before it recorded the completion', async () => {
      const blobPath = await issue();
      await sendAll(blobPath, ['whole']);
      const row = await rowOf(blobPath);
      await complete(blobPath, 1);
      await sql`update blobs set part_upload_id = ${row?.uploadId} where ${blobPath} like '%' || blob_id || '%'`.execute(
        db,
      );
      expect(await complete(blobPath, 1)).toMatchObject({ status: 200, body: { sizeBytes: 5 } });
    });

    test('completing an upload with fewer parts than are stored leaves out the remaining parts', async () => {
      const blobPath = await issue();
      await sendAll(blobPath, ['first', 'stale']);
      expect(await complete(blobPath, 1)).toMatchObject({ status: 200, body: { sizeBytes: 5 } });
    });

    test('an upload that was created with a sandbox key can be completed with a sandbox key or a live key', async () => {
      const blobPath = await issue('ad.mp4', 'video/mp4', sandbox);
      await send((await request(blobPath, 1, sandbox)).body, 1, 'x');
      expect(await complete(blobPath, 1)).toMatchObject({ status: 200 });
      expect(await complete(blobPath, 1, sandbox)).toMatchObject({ status: 200 });
    });
  });

  describe('413: a file over the limit of its category', () => {
    test('the file is refused with asset_too_large and is not stored', async () => {
      const blobPath = await issue('heavy.png', 'image/png');
      await sendAll(blobPath, [Buffer.alloc(assetBytesMax.image), 'x']);
      const response = await complete(blobPath, 2);
      expect(response).toMatchObject({
        status: 413,
        body: { code: 'asset_too_large', errors: [{ pointer: '/blobPath', detail: expect.stringMatching(/50 MiB/) }] },
      });
      expect(await openContainer(api.config).getBlobClient(blobPath).exists()).toBe(false);
      expect(await complete(blobPath, 1), 'at the limit').toMatchObject({ status: 200 });
    });
  });

  describe('422: the upload is not complete', () => {
    const details = ({ body }: { body: { errors: { detail: string }[] } }) => body.errors.map(({ detail }) => detail);

    test('the request is refused with parts_missing, and each missing part is listed', async () => {
      const blobPath = await issue();
      await send((await request(blobPath, 3)).body, 2, 'second');
      const response = await complete(blobPath, 3);
      expect(response).toMatchObject(refused(422, 'parts_missing'));
      expect(details(response)).toEqual(['Part 1 is not stored.', 'Part 3 is not stored.']);
    });

    test('a submission before the parts are joined is refused with blob_not_uploaded', async () => {
      const blobPath = await issue();
      await sendAll(blobPath, ['whole']);
      const response = await client.post('/submissions', { assets: [{ blobPath }] });
      expect(response).toMatchObject(refused(422, 'blob_not_uploaded'));
    });

    test('completing an upload that was never started is refused with parts_missing', async () => {
      const response = await complete(await issue(), 1);
      expect(response).toMatchObject(refused(422, 'parts_missing'));
      expect(details(response)).toEqual(['Part 1 is not stored.']);
    });

    // Azure lets whoever may write a blob choose its kind; S3 has one kind, so there is nothing to try.
    const otherKinds = api.config.OBJECT_STORE === 's3' ? [] : ['AppendBlob'];
    test.each(otherKinds)('an upload whose blob became an %s has no parts', async (kind) => {
      const blobPath = await issue();
      const url = new URL((await request(blobPath, 1)).body.parts[0].uploadUrl);
      for (const name of ['comp', 'blockid']) url.searchParams.delete(name);
      expect((await fetch(url, { method: 'PUT', headers: { 'x-ms-blob-type': kind } })).status).toBe(201);
      expect(await complete(blobPath, 1)).toMatchObject(refused(422, 'parts_missing'));
    });

    test('a part below the minimum size that is not the last is refused with part_too_small', async () => {
      const blobPath = await issue();
      await sendAll(blobPath, [Buffer.alloc(partBytesMin - 1), 'end']);
      const response = await complete(blobPath, 2);
      expect(response).toMatchObject(refused(422, 'part_too_small'));
      expect(details(response)).toEqual([`Part 1 has ${partBytesMin - 1} bytes.`]);
    });
  });

  describe('502: the storage of the upload is unavailable', () => {
    test('a caller is answered before the connection is closed while parts are joined, and a repeated request succeeds once they are', async () => {
      let joinCount = 0;
      const slow = await openStorageProxy(storageUrlOf(api.config), {
        delayMillis: (sent) => (isJoin(sent) ? 4000 * ++joinCount : 0),
      });
      onTestFinished(slow.close);
      const settings = { ...liftedLimits, ...storageSettingsAt(slow.url, api.config), REQUEST_TIMEOUT_SECONDS: '3' };
      const by = (await openTestApi(settings)).client(workspace.liveKey);
      const blobPath = await issue();
      await sendAll(blobPath, ['whole']);
      expect(await complete(blobPath, 1, by)).toMatchObject(refused(502, 'storage_unavailable'));
      await expect.poll(() => openContainer(api.config).getBlobClient(blobPath).exists()).toBe(true);
      expect(await complete(blobPath, 1, by)).toMatchObject({ status: 200, body: { sizeBytes: 5 } });
      expect(joinCount).toBe(1);
    });

    test('an upload in an account that is no longer configured results in storage_unavailable', async () => {
      const blobPath = await issue();
      await sql`update blobs set account = 'another' where ${blobPath} like '%' || blob_id || '%'`.execute(db);
      for (const asking of [request, complete]) {
        expect(await asking(blobPath, 1)).toMatchObject(refused(502, 'storage_unavailable'));
      }
    });
  });
});

describe('an unfinished upload', () => {
  const at = (hours: number) => ({
    ...api.handles,
    clock: { now: () => new Date(Date.now() + hours * hourMillis) },
  });
  const storedParts = async (blobPath: string, uploadId: string) =>
    (await api.handles.blobs.partUploadsOf(api.handles.blobs.home, blobPath)).list(uploadId);

  test('is deleted after 48 hours without a submission, and its path is then refused', async () => {
    const blobPath = await issue();
    const { body } = await request(blobPath, 2);
    await send(body, 1, 'part');
    const { uploadId } = (await rowOf(blobPath)) as { uploadId: string };
    await purgeMedia(at(47), retentionPeriods);
    expect(await storedParts(blobPath, uploadId)).toMatchObject([{ partNumber: 1 }]);
    await purgeMedia(at(49), retentionPeriods);
    expect((await storedParts(blobPath, uploadId)) ?? []).toEqual([]);
    for (const asking of [request, complete]) {
      expect(await asking(blobPath, 2)).toMatchObject(refused(403, 'invalid_blob_path'));
    }
    // A part that is sent later is also deleted once the URLs have expired.
    await send(body, 2, 'late');
    await purgeMedia(at(51), retentionPeriods);
    expect((await storedParts(blobPath, uploadId)) ?? []).toEqual([]);
  });

  test('is removed from the database after 48 hours if the file was uploaded in a different way, and that file is kept', async () => {
    const blobPath = await issue('note.txt', 'text/plain');
    await sendAll(blobPath, ['part']);
    const { body } = await client.post('/uploads/renew', { blobPath });
    await fetch(body.uploadUrl, { method: body.method, headers: toHeaders(body.headers), body: 'whole' });
    const submitted = await client.post('/submissions', { assets: [{ blobPath }] });
    expect(submitted.status).toBe(201);
    await purgeMedia(at(47), retentionPeriods);
    expect((await rowOf(blobPath))?.uploadId).toEqual(expect.any(String));
    await purgeMedia(at(49), retentionPeriods);
    expect(await rowOf(blobPath)).toEqual({ uploadId: null });
    expect((await readStored(api.config, blobPath)).bytes.toString()).toBe('whole');
  });
});
