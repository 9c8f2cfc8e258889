import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import { openOwnerDb } from '@assay/testing/service/owner-db.ts';
import { submit, untilFinished, uploadText } from '@assay/testing/service/submissions.ts';
import { openContainer, toHeaders } from '@assay/testing/storage/blobs.ts';
import { listBlobNames, openTwoStores } from '@assay/testing/storage/two-stores.ts';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { moveLock } from '#modules/uploads/move/move-store.ts';
import { purgeMedia } from '#modules/uploads/retention/purge-media.ts';
import { runMove } from './move-storage.ts';

const { azure, s3, settings } = await openTwoStores();
const apiSettings = { ...liftedLimits, ...settings, WORKER_QUEUES: 'control,document' };
const azureApi = await openTestApi({ ...apiSettings, OBJECT_STORE: 'azure' });
const s3Api = await openTestApi({ ...apiSettings, OBJECT_STORE: 's3' });
const { liveKey } = await azureApi.makeWorkspace();
const [azureClient, s3Client] = [azureApi.client(liveKey), s3Api.client(liveKey)];
const { db } = s3Api.handles;
const ownerDb = openOwnerDb();
const retention = { unsubmittedHours: 48, mediaDays: 30, resultsDays: 365 };
const screenOutput: string[] = [];
const screen = { write: (text: string) => screenOutput.push(text) };

const move = (...args: string[]) => runMove(args, s3Api.handles, screen);
const moveToS3 = (...args: string[]) => move('--from', 'azure', '--to', 's3', ...args);
const blobIdOf = (blobPath: string) => (blobPath.split('/')[1] as string).slice(0, 36);
/** Pretends that the last upload URL has expired. */
const expireUrls = () => sql`update blobs set upload_until = now() - interval '1 second'`.execute(db);
/** Pretends that every blob was moved an hour ago. */
const backdateMoves = () => sql`update blobs set moved_at = moved_at - interval '1 hour'`.execute(db);
const rowOf = async (blobPath: string) => {
  const row = await db.selectFrom('blobs').selectAll().where('blob_id', '=', blobIdOf(blobPath)).executeTakeFirst();
  return row as NonNullable<typeof row>;
};
const isStoredIn = async (container: typeof azure, path: string) => (await listBlobNames(container, path)).length > 0;
const noObjectsLeft = { ready: 0, uploading: 0, purging: 0, unreachable: 0, blocked: 0, record: 0 };

beforeEach(async () => {
  screenOutput.length = 0;
  await sql`truncate blobs cascade`.execute(ownerDb);
});

describe('storage move', () => {
  test('is recorded when it starts and when it ends, with its totals, and not if it only counts', async () => {
    await expireUrls();
    const moveCommand = (...more: string[]) => s3Api.admin('storage', 'move', '--from', 'azure', '--to', 's3', ...more);
    const actions = () =>
      db
        .selectFrom('admin_actions')
        .select(['outcome', 'arguments', 'result'])
        .where('command', '=', 'storage move')
        .orderBy('action_id')
        .execute();
    await moveCommand('--dry-run');
    expect(await actions()).toEqual([]);
    await moveCommand('--delete-source');
    const given = { from: 'azure', to: 's3', 'delete-source': true };
    expect(await actions()).toMatchObject([
      { outcome: 'started', arguments: given, result: {} },
      { outcome: 'completed', arguments: given, result: { moved: 0, failed: 0, isFinished: true } },
    ]);
  });

  test('moves every object that can be moved, and reports how many are left and why', async () => {
    const moved = await uploadText(azureClient);
    const unused = (await azureClient.post('/uploads/url', { filename: 'never.txt', contentType: 'text/plain' })).body
      .blobPath;
    await expireUrls();
    const uploading = await uploadText(azureClient);
    expect(await moveToS3('--dry-run')).toMatchObject({ ready: 2, uploading: 1 });
    expect((await rowOf(moved)).store).toBe('azure');
    const outcome = await moveToS3();
    expect(outcome).toMatchObject({ moved: 2, failed: 0, left: { ...noObjectsLeft, uploading: 1 }, isFinished: false });
    for (const path of [moved, unused]) expect(await rowOf(path)).toMatchObject({ store: 's3', other_store: 'azure' });
    expect([await isStoredIn(s3, moved), await isStoredIn(azure, moved), await isStoredIn(s3, uploading)]).toEqual([
      true,
      true,
      false,
    ]);
    await expireUrls();
    expect(await moveToS3()).toMatchObject({ moved: 1, left: noObjectsLeft, oldCopies: 3, isFinished: true });
  });

  test('deletes an old copy 15 minutes after the move, unless an examination is unfinished', async () => {
    const [idle, used] = [await uploadText(azureClient), await uploadText(azureClient)];
    const { submissionId } = await submit(s3Client, [used]);
    await expireUrls();
    expect(await moveToS3('--delete-source')).toMatchObject({
      moved: 2,
      deletedCopies: 0,
      oldCopies: 2,
      isFinished: false,
    });
    await backdateMoves();
    expect(await moveToS3('--delete-source')).toMatchObject({ deletedCopies: 1, oldCopies: 1, isFinished: false });
    expect([await isStoredIn(azure, idle), await isStoredIn(azure, used)]).toEqual([false, true]);
    await s3Client.post(`/submissions/${submissionId}/cancel`);
    expect(await moveToS3('--delete-source')).toMatchObject({ deletedCopies: 1, oldCopies: 0, isFinished: true });
    expect(await listBlobNames(azure)).not.toContain(used);
    expect(await isStoredIn(s3, used)).toBe(true);
  });

  test('moves an object to S3 and back, and keeps every ETag that an asset may be pinned to', async () => {
    const path = await uploadText(azureClient);
    await expireUrls();
    await moveToS3();
    const atS3 = (await rowOf(path)).etag;
    const back = await runMove(['--from', 's3', '--to', 'azure'], azureApi.handles, screen);
    expect(back).toMatchObject({ moved: 1, isFinished: true });
    const { store, etag, former_etags: former } = await rowOf(path);
    // The copy that was still in Azure is used again, so its ETag is the current one.
    expect({ store, former }).toEqual({ store: 'azure', former: [etag, atS3] });
  });

  test('replaces a copy with the wrong bytes that a killed move left behind', async () => {
    const path = await uploadText(azureClient, 'a.txt', 'right bytes');
    await s3.getBlockBlobClient(path).upload('wrong', 5);
    await expireUrls();
    expect(await moveToS3()).toMatchObject({ moved: 1, failed: 0 });
    expect((await s3.getBlobClient(path).downloadToBuffer()).toString()).toBe('right bytes');
  });

  test('copies a large object in parts', async () => {
    const path = await uploadText(azureClient);
    const bytes = Buffer.alloc(17 * 1024 * 1024, 'large ');
    await azure.getBlockBlobClient(path).uploadData(bytes);
    await expireUrls();
    expect(await moveToS3()).toMatchObject({ moved: 1, movedBytes: bytes.length });
    expect((await s3.getBlobClient(path).downloadToBuffer()).equals(bytes)).toBe(true);
    await azure.getBlobClient(path).delete();
    expect(await runMove(['--from', 's3', '--to', 'azure'], azureApi.handles, screen)).toMatchObject({ moved: 1 });
    expect((await azure.getBlobClient(path).downloadToBuffer()).equals(bytes)).toBe(true);
  });

  test('reports the objects that could not be moved, and moves the others', async () => {
    const [good, archived] = [await uploadText(azureClient), await uploadText(azureClient)];
    await azure.getBlobClient(archived).setAccessTier('Archive');
    await expireUrls();
    expect(await moveToS3()).toMatchObject({ moved: 1, failed: 1, left: { ready: 1 }, isFinished: false });
    expect((await rowOf(good)).store).toBe('s3');
    expect(screenOutput.join('')).toContain(`"blobId":"${blobIdOf(archived)}","reason":"the blob is archived`);
  });

  test('deletes a copy in a third container that a killed move left behind', async () => {
    const path = await uploadText(azureClient);
    const third = openContainer({ ...s3Api.config, S3_BUCKET: 'media' });
    await third.getBlockBlobClient(path).upload('copy', 4);
    await expireUrls();
    const { account } = s3Api.handles.blobs.home;
    await sql`update blobs set other_store = 's3', other_account = ${account}, other_container = 'media'`.execute(db);
    expect(await moveToS3()).toMatchObject({ moved: 1, failed: 0 });
    expect(await isStoredIn(third, path)).toBe(false);
    expect(await rowOf(path)).toMatchObject({ store: 's3', other_store: 'azure' });
  });

  test('rejects moves that cannot work, and explains what to do', async () => {
    await expect(move('--from', 's3', '--to', 'azure')).rejects.toThrow('Set OBJECT_STORE=azure');
    await expect(move('--from', 's3', '--to', 's3')).rejects.toThrow('must be two of azure, s3');
    await expect(move('--form', 's3')).rejects.toThrow('usage: admin storage move');
    const alone = await openTestApi({ ...liftedLimits, OBJECT_STORE: 'azure' });
    await expect(runMove(['--from', 's3', '--to', 'azure'], alone.handles, screen)).rejects.toThrow(
      's3 is not configured',
    );
  });

  test('moves each object only once when two moves run concurrently', async () => {
    await Promise.all(Array.from({ length: 10 }, () => uploadText(azureClient)));
    await expireUrls();
    const outcomes = await Promise.all([moveToS3(), moveToS3()]);
    expect(outcomes.map((outcome) => ('moved' in outcome ? outcome.moved : 0)).sort()).toEqual([0, 10]);
  });

  test('continues on a new database connection when its own is lost', async () => {
    await Promise.all(Array.from({ length: 10 }, () => uploadText(azureClient)));
    await expireUrls();
    const { blobs } = s3Api.handles;
    let count = 0;
    const copy: typeof blobs.copy = async (...args) => {
      if (++count === 3)
        await sql`select pg_terminate_backend(pid) from pg_locks where objid = ${moveLock}`.execute(db);
      return blobs.copy(...args);
    };
    const outcome = await runMove(
      ['--from', 'azure', '--to', 's3'],
      { ...s3Api.handles, blobs: { ...blobs, copy } },
      screen,
    );
    expect(outcome).toMatchObject({ moved: 10, failed: 0, isFinished: true });
    expect(count, 'some were copied twice').toBeGreaterThan(10);
  });

  test('is refused while another process is moving media', async () => {
    await db.connection().execute(async (connection) => {
      await sql`select pg_advisory_lock(${moveLock})`.execute(connection);
      await expect(moveToS3()).rejects.toThrow('Another process is moving media.');
      await sql`select pg_advisory_unlock(${moveLock})`.execute(connection);
    });
  });
});

describe('during a storage move', () => {
  test('a renewed upload URL points to the current store of the blob and delays its move', async () => {
    const path = await uploadText(azureClient);
    await expireUrls();
    const renew = async () => (await s3Client.post('/uploads/renew', { blobPath: path })).body.uploadUrl as string;
    expect(await renew()).toContain('/assaylocal/');
    expect(await moveToS3()).toMatchObject({ moved: 0, left: { uploading: 1 } });
    await expireUrls();
    await moveToS3();
    expect(await renew()).toContain('X-Amz-Signature');
  });

  test('a multipart upload that is not yet completed stays in the store that holds its parts', async () => {
    const blobPath = await uploadText(azureClient);
    const asked = { blobPath, partCount: 1 };
    const { body } = await s3Client.post('/uploads/parts', asked);
    const { method, headers, parts } = body;
    expect(new URL(parts[0].uploadUrl).origin).toBe(new URL(azureApi.config.BLOB_PUBLIC_URL).origin);
    expect((await fetch(parts[0].uploadUrl, { method, headers: toHeaders(headers), body: 'replaced' })).ok).toBe(true);
    await expireUrls();
    expect(await moveToS3()).toMatchObject({ moved: 0, left: { uploading: 1 } });
    expect(await s3Client.post('/uploads/parts/complete', asked)).toMatchObject({
      status: 200,
      body: { sizeBytes: 8 },
    });
    expect(await moveToS3()).toMatchObject({ moved: 1, left: noObjectsLeft });
    expect(await isStoredIn(s3, blobPath)).toBe(true);
  });

  test('submissions from before the move are examined after it, and deleting them empties both stores', async () => {
    const path = await uploadText(azureClient);
    const { submissionId } = await submit(s3Client, [path]);
    await expireUrls();
    await moveToS3();
    await openTestWorker({ ...s3Api.config, SWEEP_SECONDS: 3600 });
    expect(await untilFinished(s3Client, submissionId)).toMatchObject({ status: 'complete' });
    await s3Client.delete(`/submissions/${submissionId}`);
    await purgeMedia(s3Api.handles, retention);
    expect([await isStoredIn(s3, path), await isStoredIn(azure, path)]).toEqual([false, false]);
  });

  test('a purge that began before the move deletes the bytes from both stores', async () => {
    const path = await uploadText(azureClient);
    await expireUrls();
    const late = { now: () => new Date(Date.now() + 72 * 3_600_000) };
    // Moves the blob after the purge has read where it is, and before it decides what to do with it.
    const movedBefore = new Proxy(db, {
      get: (target, name) => {
        const value = Reflect.get(target, name, target);
        if (name === 'transaction') {
          const execute: ReturnType<typeof db.transaction>['execute'] = async (work) => {
            if ((await rowOf(path)).store === 'azure') await moveToS3();
            return db.transaction().execute(work);
          };
          return () => ({ execute });
        }
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    await purgeMedia({ ...s3Api.handles, clock: late, db: movedBefore }, retention);
    expect(await rowOf(path)).toMatchObject({ store: 's3', filename: null });
    expect([await isStoredIn(s3, path), await isStoredIn(azure, path)]).toEqual([false, false]);
  });

  test('a blob whose purge has begun is not moved', async () => {
    const path = await uploadText(azureClient);
    await expireUrls();
    const late = { now: () => new Date(Date.now() + 72 * 3_600_000) };
    const { blobs } = s3Api.handles;
    const removeAll: typeof blobs.removeAll = async (place, prefix) => {
      expect(await moveToS3()).toMatchObject({ moved: 0, left: { ...noObjectsLeft, purging: 1 } });
      return blobs.removeAll(place, prefix);
    };
    await purgeMedia({ ...s3Api.handles, clock: late, blobs: { ...blobs, removeAll } }, retention);
    expect(await rowOf(path)).toMatchObject({ store: 'azure', filename: null });
    expect([await isStoredIn(s3, path), await isStoredIn(azure, path)]).toEqual([false, false]);
  });

  test('a blob that is purged during its copy is not switched to the new store, and its copy is deleted', async () => {
    const path = await uploadText(azureClient);
    await expireUrls();
    const { blobs } = s3Api.handles;
    const late = { now: () => new Date(Date.now() + 72 * 3_600_000) };
    const copy: typeof blobs.copy = async (...args) => {
      const copied = await blobs.copy(...args);
      await purgeMedia({ ...s3Api.handles, clock: late }, retention);
      await s3.getBlockBlobClient(path).upload('late', 4); // as if the copy had arrived after the purge
      return copied;
    };
    const outcome = await runMove(
      ['--from', 'azure', '--to', 's3'],
      { ...s3Api.handles, blobs: { ...blobs, copy } },
      screen,
    );
    expect(outcome).toMatchObject({ moved: 0, left: { ...noObjectsLeft, purging: 1 } });
    expect([await isStoredIn(s3, path), await isStoredIn(azure, path)]).toEqual([false, false]);
  });

  test('the database records of deleted media are moved too', async () => {
    const path = await uploadText(azureClient);
    await sql`update blobs set emptied_at = now() - interval '2 hours', next_look_at = 'infinity'`.execute(db);
    expect(await moveToS3()).toMatchObject({ moved: 0, records: 1, left: noObjectsLeft, isFinished: true });
    expect(await rowOf(path)).toMatchObject({ store: 's3', other_store: null });
  });
});
