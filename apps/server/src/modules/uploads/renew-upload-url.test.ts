import { assetBytesMax } from '@assay/contract/limits.ts';
import { openTestApi, openWorkspace } from '@assay/testing/service/api.ts';
import { openFullWorkspace, smallQuota } from '@assay/testing/service/full-workspace.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { storedStatus } from '@assay/testing/storage/blobs.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';

const api = await openTestApi(smallQuota);
const { live: client, sandbox } = await openWorkspace(api);
const { body: issued } = await client.post('/uploads/url', { filename: 'ad.mp4', contentType: 'video/mp4' });
const renew = (by: typeof client, blobPath: string) => by.post('/uploads/renew', { blobPath });

describe('POST /uploads/renew', () => {
  describe('200: the same path with a new URL', () => {
    test('an upload to the new URL is stored at the issued path', async () => {
      const { status, body } = await client.post('/uploads/renew', { blobPath: issued.blobPath });
      expect(status).toBe(200);
      expect(body.blobPath).toBe(issued.blobPath);
      const put = await fetch(body.uploadUrl, { method: 'PUT', headers: { 'x-ms-blob-type': 'BlockBlob' }, body: 'x' });
      expect(put.status).toBe(storedStatus(api.config));
    });

    test('an upload that was created with a sandbox key can be renewed with a sandbox key or a live key', async () => {
      const { body } = await sandbox.post('/uploads/url', { filename: 'ad.mp4', contentType: 'video/mp4' });
      expect([await renew(sandbox, body.blobPath), await renew(client, body.blobPath)]).toMatchObject([
        { status: 200 },
        { status: 200 },
      ]);
    });
  });

  describe('403: a path that was not issued to this workspace', () => {
    test.each([
      ['a different file name', (path: string) => client.post('/uploads/renew', { blobPath: path.replace('ad', 'b') })],
      [
        'a different blob id',
        (path: string) => client.post('/uploads/renew', { blobPath: path.replace(/.(?=-ad)/, 'x') }),
      ],
      [
        'a name of over 1,024 bytes, which is never issued',
        (path: string) => client.post('/uploads/renew', { blobPath: path.replace('ad', 'a'.repeat(1021)) }),
      ],
    ])('%s is refused with invalid_blob_path', async (_, attempt) => {
      expect(await attempt(issued.blobPath)).toMatchObject(refused(403, 'invalid_blob_path'));
    });

    test.each([
      ['a path of 2,049 bytes', (path: string) => path.padEnd(2049, 'a')],
      [
        'a path with 1 MB of combining marks that would take minutes to normalise',
        (path: string) => path + '\u0301\u0323'.repeat(240_000),
      ],
    ])('%s is refused, and the error states the limit', async (_, alter) => {
      const { status, body } = await client.post('/uploads/renew', { blobPath: alter(issued.blobPath) });
      const error = { pointer: '/blobPath', code: 'too_long', detail: 'blobPath can be up to 2,048 bytes.' };
      expect([status, body.code, body.errors]).toEqual([403, 'invalid_blob_path', [error]]);
    });
  });

  describe('403: the key is a sandbox key and the upload was created with a live key', () => {
    test('the renewal is refused with live_upload', async () => {
      expect(await renew(sandbox, issued.blobPath)).toMatchObject(refused(403, 'live_upload'));
    });
  });

  describe('413: a declared size over the limit of the category', () => {
    test('one byte over the limit is refused with asset_too_large, and a size at the limit is accepted', async () => {
      const declare = (sizeBytes: number) => client.post('/uploads/renew', { blobPath: issued.blobPath, sizeBytes });
      expect(await declare(assetBytesMax.video)).toMatchObject({ status: 200 });
      expect(await declare(assetBytesMax.video + 1)).toMatchObject(refused(413, 'asset_too_large', '/sizeBytes'));
    });
  });

  describe('422: an invalid request', () => {
    test('a URL for a larger file for which the workspace has no room is refused with storage_quota_reached', async () => {
      const { live, blobPath } = await openFullWorkspace(api);
      const response = await live.post('/uploads/renew', { blobPath });
      expect(response).toMatchObject(refused(422, 'storage_quota_reached', '/sizeBytes'));
    });

    test.each([
      ['without members', {}],
      ['with a blobPath that is a number', { blobPath: 1 }],
      ['with an unknown member', { blobPath: 'x', filename: 'y' }],
    ])('a body %s is refused with validation_failed', async (_, json) => {
      expect(await client.post('/uploads/renew', json)).toMatchObject(refused(422, 'validation_failed'));
    });
  });

  describe('502: the storage of the upload is unavailable', () => {
    test('an upload in an account that is no longer configured results in storage_unavailable', async () => {
      const { body } = await client.post('/uploads/url', { filename: 'ad.mp4', contentType: 'video/mp4' });
      await sql`
        update blobs set account = 'another' where ${body.blobPath} like '%' || blob_id || '%'`.execute(api.handles.db);
      const response = await client.post('/uploads/renew', { blobPath: body.blobPath });
      expect(response).toMatchObject(refused(502, 'storage_unavailable'));
    });
  });
});
