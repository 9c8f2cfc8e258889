import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assetBytesMax, GiB, MiB, type Tier } from '@assay/contract/limits.ts';
import { liftedLimits, openTestApi, openTestWorker, openWorkspace } from '@assay/testing/service/api.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { submit, untilFinished, uploadText } from '@assay/testing/service/submissions.ts';
import { azureSettings, openContainer, putBlob, toHeaders } from '@assay/testing/storage/blobs.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import type { Handles } from '#platform/handles.ts';
import { purgeMedia } from '../retention/purge-media.ts';
import { measureUploads } from './measure-uploads.ts';

const quotas = { STORAGE_QUOTAS: '{"starter":{"GiB":1,"files":null},"pro":{"GiB":null,"files":3}}' };
const settings = { ...liftedLimits, ...quotas, WORKER_QUEUES: 'control,sandbox' };
const [api, otherApi] = [await openTestApi(settings), await openTestApi(settings)];
const azure = await openTestApi({ ...settings, ...azureSettings });
await openTestWorker({ ...api.config, SWEEP_SECONDS: 3600 }); // the tests run the sweeps themselves
const { db } = api.handles;

const minuteMillis = 60_000;
const retentionPeriods = { unsubmittedHours: 48, mediaDays: 30, resultsDays: 365 };
const inMinutes = (minutes: number, { handles } = api): Handles => ({
  ...handles,
  clock: { now: () => new Date(Date.now() + minutes * minuteMillis) },
});
type Client = ReturnType<typeof api.client>;
const issue = (client: Client, sizeBytes?: number) =>
  client.post('/uploads/url', { filename: 'note.txt', contentType: 'text/plain', sizeBytes });
const openLimited = (tier: Tier = 'starter', of = api) => openWorkspace(of, tier);
const storageOf = async (client: Client) => (await client.get('/me')).body.storage;
const reached = (pointer: string) => refused(422, 'storage_quota_reached', pointer);

/** A workspace whose quota of 1 GiB is used except for this many bytes. */
async function openFull(freeBytes = 0) {
  const workspace = await openLimited();
  const counted = GiB - freeBytes;
  for (let left = counted; left > 0; left -= 100 * MiB) {
    expect(await issue(workspace.live, Math.min(left, 100 * MiB))).toMatchObject({ status: 200 });
  }
  return workspace;
}

afterAll(async () => {
  const { rows } = await sql`
    select workspace_id, files, bytes from (
      select workspace_id, sum(files)::int as files, sum(bytes)::float8 as bytes from storage_totals group by workspace_id
    ) as totals full join (
      select workspace_id, count(*)::int as files, sum(counted_bytes)::float8 as bytes from blobs
      where emptied_at is null or emptied_at < upload_until group by workspace_id
    ) as blobs using (workspace_id, files, bytes)
    where (totals is null or blobs is null) and (files <> 0 or bytes <> 0)`.execute(db);
  expect(rows, 'totals that differ from the blobs').toEqual([]);
});

describe('a workspace with a storage quota', () => {
  test('can store as much as its tier allows, and is told why the next upload is refused', async () => {
    const { live } = await openFull();
    const { status, body } = await issue(live, 1);
    expect({ status, body }).toMatchObject(reached('/sizeBytes'));
    expect(body.errors[0].detail).toBe(
      'This file counts with 1 B. The workspace stores 11 files with 1 GiB; its tier allows any number of files and 1 GiB.',
    );
    expect(await storageOf(live)).toEqual({ files: 11, filesMax: null, bytes: GiB, bytesMax: GiB });
  });

  test('can store as many files as its tier allows, whatever their size', async () => {
    const { live, sandbox } = await openLimited('pro');
    for (const client of [live, sandbox, live]) expect(await issue(client, 0)).toMatchObject({ status: 200 });
    expect(await issue(sandbox, 0)).toMatchObject(reached('/sizeBytes'));
  });

  test('does not exceed it with uploads that begin at the same time in several processes', async () => {
    const { live, liveKey } = await openLimited();
    const clients = [live, otherApi.client(liveKey)];
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, i) => issue(clients[i % 2] as Client, 100 * MiB)),
    );
    const accepted = responses.filter(({ status }) => status === 200);
    expect(accepted).toHaveLength(10);
    expect(await storageOf(live)).toMatchObject({ files: 10, bytes: 1000 * MiB });
  });

  test('is not affected by what another workspace stores', async () => {
    await openFull();
    expect(await issue((await openLimited()).live)).toMatchObject({ status: 200 });
  });

  test('uses it up sooner with uploads that declare no size, which count with the largest of their category', async () => {
    const { live } = await openLimited();
    for (let i = 0; i < 10; i++) expect(await issue(live)).toMatchObject({ status: 200 });
    expect(await storageOf(live)).toMatchObject({ bytes: 10 * assetBytesMax.document });
    expect(await issue(live)).toMatchObject(reached('/sizeBytes'));
    expect(await issue(live, 24 * MiB)).toMatchObject({ status: 200 });
  });

  test('cannot exceed it with a direct upload', async () => {
    const { live } = await openFull(5);
    expect(await live.uploadFile('note.txt', 'hello!')).toMatchObject(reached('/file'));
    expect(await live.uploadFile('note.txt', 'hello')).toMatchObject({ status: 201 });
  });

  test('cannot exceed it by renewing an upload URL with a larger size, but can renew every URL', async () => {
    const { live } = await openFull(5);
    const { blobPath } = (await issue(live, 5)).body;
    expect(await live.post('/uploads/renew', { blobPath, sizeBytes: 6 })).toMatchObject(reached('/sizeBytes'));
    expect(await live.post('/uploads/renew', { blobPath, sizeBytes: 5 })).toMatchObject({ status: 200 });
    expect(await live.post('/uploads/renew', { blobPath })).toMatchObject({ status: 200 });
    expect(await live.post('/uploads/parts', { blobPath, partCount: 1 })).toMatchObject({ status: 200 });
    expect(await storageOf(live)).toMatchObject({ bytes: GiB });
  });

  test('cannot exceed it by sending parts to the path of a direct upload', async () => {
    const { live } = await openFull(5);
    const { blobPath } = (await live.uploadFile('note.txt', 'hello')).body;
    expect(await live.post('/uploads/parts', { blobPath, partCount: 1 })).toMatchObject(reached('/blobPath'));
  });

  test('is listed with what it stores', async () => {
    const { live, workspaceId } = await openLimited();
    await uploadText(live);
    const listed = (await api.admin('workspace', 'list')) as { workspaceId: string }[];
    expect(listed.find((one) => one.workspaceId === workspaceId)).toMatchObject({ storedFiles: 1, storedBytes: 5 });
  });
});

describe('room in the quota is free again', () => {
  test('minutes after a smaller file than reserved was stored', async () => {
    const { live } = await openLimited();
    const { uploadUrl } = (await issue(live)).body;
    await putBlob(uploadUrl, 'hello');
    await measureUploads(inMinutes(4));
    expect(await storageOf(live)).toMatchObject({ bytes: assetBytesMax.document });
    await measureUploads(inMinutes(6));
    expect(await storageOf(live)).toMatchObject({ files: 1, bytes: 5 });
  });

  test('when the URL has expired and nothing was stored', async () => {
    const { live } = await openFull();
    await measureUploads(inMinutes(64));
    expect(await storageOf(live)).toMatchObject({ bytes: GiB });
    await measureUploads(inMinutes(66));
    expect(await storageOf(live)).toMatchObject({ files: 11, bytes: 0 });
  });

  test('when the parts of a file are joined, with the size of the file', async () => {
    const { live } = await openLimited();
    const { blobPath } = (await issue(live)).body;
    const { parts, headers } = (await live.post('/uploads/parts', { blobPath, partCount: 1 })).body;
    await fetch(parts[0].uploadUrl, { method: 'PUT', headers: toHeaders(headers), body: 'hello' });
    await measureUploads(inMinutes(6));
    expect(await storageOf(live)).toMatchObject({ bytes: assetBytesMax.document });
    expect(await live.post('/uploads/parts/complete', { blobPath, partCount: 1 })).toMatchObject({ status: 200 });
    await measureUploads(inMinutes(0));
    expect(await storageOf(live)).toMatchObject({ files: 1, bytes: 5 });
  });

  test('when a submission is deleted, at the latest when no upload URL of its files is valid', async () => {
    const { live, sandbox } = await openLimited();
    const { blobPath, uploadUrl } = (await issue(sandbox, 5)).body;
    await putBlob(uploadUrl, 'hello');
    const { submissionId } = await submit(sandbox, [blobPath]);
    await untilFinished(sandbox, submissionId);
    expect(await sandbox.delete(`/submissions/${submissionId}`)).toMatchObject({ status: 204 });
    await purgeMedia(inMinutes(0), retentionPeriods);
    // A file can still be sent to its URL, which is deleted by the second purge.
    expect(await storageOf(live)).toMatchObject({ files: 1, bytes: 5 });
    await purgeMedia(inMinutes(66), retentionPeriods);
    expect(await storageOf(live)).toMatchObject({ files: 0, bytes: 0 });
  });

  test('when media of results that are kept are purged', async () => {
    const { sandbox } = await openLimited();
    const blobPath = await uploadText(sandbox);
    await untilFinished(sandbox, (await submit(sandbox, [blobPath])).submissionId);
    const month = 31 * 24 * 60;
    await sandbox.post('/uploads/renew', { blobPath, sizeBytes: 9 });
    await purgeMedia(inMinutes(month), retentionPeriods);
    await purgeMedia(inMinutes(month + 66), retentionPeriods);
    expect(await storageOf(sandbox)).toMatchObject({ files: 0, bytes: 0 });
  });
});

describe('what an upload URL cannot prevent', () => {
  const exists = (blobPath: string, { config } = api) => openContainer(config).getBlobClient(blobPath).exists();

  test('a file that is larger than its category allows is deleted within minutes', async () => {
    const { live } = await openLimited();
    const { blobPath, uploadUrl } = (
      await live.post('/uploads/url', { filename: 'still.png', contentType: 'image/png' })
    ).body;
    await putBlob(uploadUrl, Buffer.alloc(assetBytesMax.image + 1));
    await measureUploads(inMinutes(6));
    expect(await exists(blobPath)).toBe(false);
    expect(await storageOf(live)).toMatchObject({ files: 1, bytes: assetBytesMax.image });
    expect(await live.post('/submissions', { assets: [{ blobPath }] })).toMatchObject(
      refused(422, 'blob_not_uploaded', '/assets/0/blobPath'),
    );
  });

  test('a file that replaces a measured one counts with its size when its URL has expired', async () => {
    const { live } = await openLimited();
    const { uploadUrl } = (await issue(live)).body;
    await putBlob(uploadUrl, 'hello');
    await measureUploads(inMinutes(6));
    await putBlob(uploadUrl, 'x'.repeat(1000));
    await measureUploads(inMinutes(66));
    expect(await storageOf(live)).toMatchObject({ files: 1, bytes: 1000 });
  });

  test('a file that is larger than declared is deleted within minutes, unless a submission uses it (Azure)', async () => {
    const { sandbox } = await openLimited('starter', azure);
    const { blobPath, uploadUrl } = (await issue(sandbox, 5)).body;
    await putBlob(uploadUrl, 'hello!');
    const submitted = await uploadText(sandbox);
    await submit(sandbox, [submitted]);
    await sandbox.post('/uploads/renew', { blobPath: submitted, sizeBytes: 2 });
    await measureUploads(inMinutes(6, azure));
    expect([await exists(blobPath, azure), await exists(submitted, azure)]).toEqual([false, true]);
  });

  test('a page blob, blocks that are not joined, and snapshots count and are deleted like files (Azure)', async () => {
    const { live } = await openLimited('starter', azure);
    const send = async (url: string, query: string, headers: Record<string, string>, body = '') =>
      expect((await fetch(url + query, { method: 'PUT', headers, body })).status).toBe(201);
    const [page, small, blocks, snapshot] = (await Promise.all(Array.from({ length: 4 }, () => issue(live)))).map(
      ({ body }) => body,
    );
    const pageHeaders = (bytes: number) => ({ 'x-ms-blob-type': 'PageBlob', 'x-ms-blob-content-length': `${bytes}` });
    await send(page.uploadUrl, '', pageHeaders(200 * MiB));
    await send(small.uploadUrl, '', pageHeaders(512));
    await send(blocks.uploadUrl, '&comp=block&blockid=AAAA', {}, 'hello');
    await putBlob(snapshot.uploadUrl, 'hello');
    await send(snapshot.uploadUrl, '&comp=snapshot', {});
    await measureUploads(inMinutes(66, azure));
    expect(await exists(page.blobPath, azure)).toBe(false);
    expect(await storageOf(live)).toMatchObject({ files: 4, bytes: 512 + 5 + 5 + 5 });
  });
});

test('an installation that is upgraded counts what was uploaded before, and measures what was never submitted', async () => {
  const { live, sandbox, workspaceId } = await openLimited();
  await submit(sandbox, [await uploadText(sandbox)]);
  const { uploadUrl } = (await issue(live)).body;
  await putBlob(uploadUrl, 'hello!');
  await sql`update blobs set counted_bytes = null, measure_at = null where workspace_id = ${workspaceId}`.execute(db);
  expect(await storageOf(live)).toMatchObject({ files: 0, bytes: 0 });

  const folder = join(import.meta.dirname, '../../../../migrations');
  const [up = ''] = readFileSync(join(folder, '20261119000041_counted_blobs.sql'), 'utf8').split('-- migrate:down');
  const owner = new pg.Client({ connectionString: api.config.DATABASE_URL });
  await owner.connect();
  await owner.query(up);
  await owner.query(up);
  await owner.end();
  expect(await storageOf(live)).toMatchObject({ files: 2, bytes: 5 });
  await measureUploads(inMinutes(66));
  expect(await storageOf(live)).toMatchObject({ files: 2, bytes: 11 });
});
