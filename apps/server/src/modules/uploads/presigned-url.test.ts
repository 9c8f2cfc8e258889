import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { readStored, storedStatus, toHeaders } from '@assay/testing/storage/blobs.ts';
import { describe, expect, test } from 'vitest';
import { newBlobPath } from './blob-path.ts';
import { signUploadUrl } from './sign-upload-url.ts';

const api = await openTestApi(liftedLimits);
const workspace = await api.makeWorkspace();
const client = api.client(workspace.liveKey);
type IssuedUrl = { uploadUrl: string; blobPath: string; method: string; headers: { name: string; value: string }[] };
const issueUrl = async (sizeBytes?: number): Promise<IssuedUrl> =>
  (await client.post('/uploads/url', { filename: 'ad.mp4', contentType: 'video/mp4', sizeBytes })).body;
const putStatus = storedStatus(api.config);
const isS3 = api.config.OBJECT_STORE === 's3';
const put = (url: string | URL, body = 'bytes') =>
  fetch(url, { method: 'PUT', headers: { 'x-ms-blob-type': 'BlockBlob' }, body });

/** A URL that was signed this many milliseconds ago. */
async function signedAt(millisAgo: number): Promise<string> {
  const path = newBlobPath(workspace.workspaceId as never, 'ad.mp4');
  const clock = { now: () => new Date(Date.now() - millisAgo) };
  const { blobs } = api.handles;
  return (await signUploadUrl({ ...path, ...blobs.home }, { blobs, clock })).uploadUrl;
}

describe('a presigned URL', () => {
  test('accepts the bytes of its blob, repeatedly until it expires (§1a, §4.1f)', async () => {
    const { uploadUrl, blobPath } = await issueUrl();
    expect((await put(uploadUrl, 'first')).status).toBe(putStatus);
    expect((await put(uploadUrl, 'second')).status).toBe(putStatus);
    expect((await readStored(api.config, blobPath)).bytes.toString()).toBe('second');
  });

  test('comes with a method and headers that suffice to send the file (§4.1 names one header)', async () => {
    const { uploadUrl, blobPath, method, headers } = await issueUrl();
    expect((await fetch(uploadUrl, { method, headers: toHeaders(headers), body: 'as told' })).status).toBe(putStatus);
    const { bytes, contentType } = await readStored(api.config, blobPath);
    expect([bytes.toString(), contentType]).toEqual(['as told', 'video/mp4']);
  });

  test('for a declared size accepts a file of that size, even after a renewal with a different size', async () => {
    const { blobPath, ...first } = await issueUrl(7);
    expect((await put(first.uploadUrl, '7 bytes')).status).toBe(putStatus);
    const renewed = await client.post('/uploads/renew', { blobPath, sizeBytes: 5 });
    expect((await put(renewed.body.uploadUrl, 'five.')).status).toBe(putStatus);
    // Azure cannot bind a URL to a size, so there the submission is refused instead.
    if (isS3) expect((await put(renewed.body.uploadUrl, 'larger')).status).toBe(403);
  });

  // Azure lets whoever may write a blob choose its kind; S3 has one kind, so there is nothing to try.
  const otherKinds: [string, object][] = [
    ['PageBlob', { 'x-ms-blob-content-length': `${50 * 1024 * 1024}` }],
    ['AppendBlob', {}],
  ];
  test.each(isS3 ? [] : otherKinds)(
    'that was used to create a %s counts as unused: the submission is refused',
    async (kind, headers) => {
      const { uploadUrl, blobPath } = await issueUrl();
      const sent = { 'x-ms-blob-type': kind, 'x-ms-version': '2024-11-04', ...headers } as Record<string, string>;
      expect((await fetch(uploadUrl, { method: 'PUT', headers: sent })).status).toBe(201);
      expect(await client.post('/submissions', { assets: [{ blobPath }] })).toMatchObject(
        refused(422, 'blob_not_uploaded', '/assets/0/blobPath'),
      );
    },
  );

  describe('permits nothing but writing its blob', () => {
    test('reading the blob is refused', async () => {
      const { uploadUrl } = await issueUrl();
      await put(uploadUrl);
      expect((await fetch(uploadUrl)).status).toBe(403);
      expect((await fetch(uploadUrl, { method: 'HEAD' })).status).toBe(403);
    });

    test('deleting the blob is refused', async () => {
      const { uploadUrl } = await issueUrl();
      await put(uploadUrl);
      expect((await fetch(uploadUrl, { method: 'DELETE' })).status).toBe(403);
    });

    test('listing the container is refused', async () => {
      const url = new URL((await issueUrl()).uploadUrl);
      url.pathname = isS3 ? `/${api.config.S3_BUCKET}` : `/${api.config.BLOB_ACCOUNT}/${api.config.BLOB_CONTAINER}`;
      url.searchParams.set('restype', 'container');
      url.searchParams.set('comp', 'list');
      expect((await fetch(url)).status).toBe(403);
    });

    test('writing a different blob is refused, in the same workspace or in another workspace', async () => {
      const mine = await issueUrl();
      const other = new URL((await issueUrl()).uploadUrl);
      other.search = new URL(mine.uploadUrl).search;
      expect((await put(other)).status).toBe(403);
      const foreign = new URL(mine.uploadUrl);
      foreign.pathname = foreign.pathname.replace(workspace.workspaceId, crypto.randomUUID());
      expect((await put(foreign)).status).toBe(403);
    });

    test('a changed expiry or permission is refused', async () => {
      const changes = isS3 ? { 'X-Amz-Expires': '604800' } : { se: '2099-01-01T00:00:00Z', sp: 'rcwdl' };
      for (const [name, value] of Object.entries(changes)) {
        const url = new URL((await issueUrl()).uploadUrl);
        url.searchParams.set(name, value);
        expect((await put(url)).status, name).toBe(403);
      }
    });
  });

  test('expires after one hour, not before (§4.1d, §8.1c)', async () => {
    expect((await put(await signedAt(59 * 60 * 1000))).status).toBe(putStatus);
    expect((await put(await signedAt(60 * 60 * 1000 + 2000))).status).toBe(403);
  });
});
