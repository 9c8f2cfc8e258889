import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import { openHoldingProxy } from '@assay/testing/service/hold.ts';
import { openOwnerDb } from '@assay/testing/service/owner-db.ts';
import { submit, untilFinished, uploadText } from '@assay/testing/service/submissions.ts';
import {
  azureSettings,
  openContainer,
  putBlob,
  storageSettingsAt,
  storageUrlOf,
} from '@assay/testing/storage/blobs.ts';
import { openStorageProxy } from '@assay/testing/storage/storage-proxy.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { storeSettingsOf } from '#config/storage.ts';
import { purgeMedia } from '#modules/uploads/retention/purge-media.ts';
import type { Handles } from '#platform/handles.ts';
import { checkClock, deletingByDatabaseTime } from '#platform/postgres/database-time.ts';
import { openBlobs } from '#platform/storage/blobs.ts';
import { rowRemovers } from '#start/row-removers.ts';
import { deleteExpired } from './delete-expired.ts';
import { dropEmptyMonths, makeMonths } from './month-store.ts';

const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,document' });
const ownerDb = openOwnerDb();
const { liveKey } = await api.makeWorkspace();
const client = api.client(liveKey);
const azure = await openTestApi({ ...liftedLimits, ...azureSettings });
await openTestWorker({ ...api.config, SWEEP_SECONDS: 3600 });

const retentionPeriods = { unsubmittedHours: 48, mediaDays: 30, resultsDays: 365 };
const hourMillis = 3_600_000;
const inHours = (hours: number): Handles => {
  return { ...api.handles, clock: { now: () => new Date(Date.now() + hours * hourMillis) } };
};
const inDays = (days: number) => inHours(days * 24);
const blobExists = (blobPath: string) => openContainer(api.config).getBlobClient(blobPath).exists();
const countRows = async (table: 'blobs' | 'submissions' | 'assets' | 'issues' | 'asset_versions') => {
  const { count } = await api.handles.db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
};

const storageUrl = storageUrlOf(api.config);
const openBlobsAt = (url: string) =>
  openBlobs(...storeSettingsOf({ ...api.config, ...storageSettingsAt(url, api.config) }));

async function submitAndFinish(blobPath: string): Promise<string> {
  const { submissionId } = await submit(client, [blobPath]);
  await untilFinished(client, submissionId);
  return submissionId;
}

async function upload(filename = 'note.txt', by = client) {
  const { body } = await by.post('/uploads/url', { filename, contentType: 'text/plain' });
  const put = () => putBlob(body.uploadUrl, 'hello');
  await put();
  return { blobPath: body.blobPath as string, uploadUrl: body.uploadUrl as string, put };
}

describe('files that were uploaded but never submitted', () => {
  const writeBy: [string, (url: string) => Promise<number>][] = [
    [
      'an endless lease',
      async (url) => {
        const headers = { 'x-ms-lease-action': 'acquire', 'x-ms-lease-duration': '-1' };
        return (await fetch(`${url}&comp=lease`, { method: 'PUT', headers })).status;
      },
    ],
    ['a snapshot', async (url) => (await fetch(`${url}&comp=snapshot`, { method: 'PUT' })).status],
    [
      'the archive tier',
      async (url) => {
        return (await putBlob(url, 'hello', { 'x-ms-access-tier': 'Archive' })).status;
      },
    ],
  ];
  test.each(writeBy)('are deleted despite %s, which their URL allows (Azure)', async (_, write) => {
    const { blobPath, uploadUrl } = await upload('note.txt', azure.client(liveKey));
    expect(await write(uploadUrl)).toBe(201);
    await purgeMedia(inHours(49), retentionPeriods);
    const left = openContainer(azure.config).listBlobsFlat({ prefix: blobPath, includeSnapshots: true });
    expect(await Array.fromAsync(left)).toEqual([]);
  });

  test('are kept for 48 hours and then deleted completely, including later uploads to their URL', async () => {
    const { blobPath, put } = await upload();
    await purgeMedia(inHours(47), retentionPeriods);
    expect(await blobExists(blobPath)).toBe(true);
    await purgeMedia(inHours(49), retentionPeriods);
    expect(await blobExists(blobPath)).toBe(false);
    await put(); // the URL is still valid, because only the clock of the service was moved
    await purgeMedia(inHours(51), retentionPeriods);
    expect(await blobExists(blobPath)).toBe(false);
    expect(await countRows('blobs')).toBe(0);
  });

  test('are kept as long as the operator configures', async () => {
    const { blobPath } = await upload();
    await purgeMedia(inHours(49), { ...retentionPeriods, unsubmittedHours: 72 });
    expect(await blobExists(blobPath)).toBe(true);
    await purgeMedia(inHours(73), { ...retentionPeriods, unsubmittedHours: 72 });
    expect(await blobExists(blobPath)).toBe(false);
  });
});

describe('media of submissions', () => {
  test('are kept for 30 days after the submission finishes, while the results are kept longer', async () => {
    const blobPath = await uploadText(client);
    const submissionId = await submitAndFinish(blobPath);
    await purgeMedia(inDays(29.9), retentionPeriods);
    expect(await blobExists(blobPath)).toBe(true);
    await purgeMedia(inDays(30.1), retentionPeriods);
    expect(await blobExists(blobPath)).toBe(false);
    await purgeMedia(inDays(31), retentionPeriods);
    const { status, body } = await client.get(`/submissions/${submissionId}`);
    expect({ status, filename: body.assets[0].filename }).toEqual({ status: 200, filename: 'note.txt' });
    expect(await client.post('/submissions', { assets: [{ blobPath }] })).toMatchObject({ status: 403 });
  });

  test('do not block the deletion of their submission while storage is slow to purge them', async () => {
    await purgeMedia(inDays(31), retentionPeriods);
    const rowsBefore = await countRows('blobs');
    const submissionId = await submitAndFinish(await uploadText(client));
    const storage = await openHoldingProxy(storageUrl, 1);
    const purging = purgeMedia({ ...inDays(31), blobs: openBlobsAt(storage.url) }, retentionPeriods);
    await storage.held;
    expect(await client.delete(`/submissions/${submissionId}`)).toMatchObject({ status: 204 });
    storage.release();
    await purging;
    storage.close();
    // The file is due for deletion, and its row is deleted too, because no submission uses the file any more.
    await purgeMedia(inDays(32), retentionPeriods);
    expect(await countRows('blobs')).toBe(rowsBefore);
  });

  test('that cannot be purged do not block the purge of other media', async () => {
    const [first, second] = [await upload('a.txt'), await upload('b.txt')];
    const isHeld = ({ method, url = '' }: IncomingMessage) =>
      method === 'DELETE' && decodeURIComponent(url).includes(first.blobPath);
    const storage = await openStorageProxy(storageUrl, {
      refuse: (request) => (isHeld(request) ? { status: 409, errorCode: 'BlobImmutableDueToPolicy' } : null),
    });
    await purgeMedia({ ...inHours(49), blobs: openBlobsAt(storage.url) }, retentionPeriods);
    storage.close();
    expect([await blobExists(first.blobPath), await blobExists(second.blobPath)]).toEqual([true, false]);
    await purgeMedia(inHours(50), retentionPeriods);
    expect(await blobExists(first.blobPath)).toBe(false);
  });

  test('cannot be submitted again from the moment on at which they are purged', async () => {
    const { blobPath } = await upload();
    const storage = await openHoldingProxy(storageUrl, 1);
    const purging = purgeMedia({ ...inDays(31), blobs: openBlobsAt(storage.url) }, retentionPeriods);
    await storage.held;
    expect(await client.post('/submissions', { assets: [{ blobPath }] })).toMatchObject({ status: 403 });
    storage.release();
    await purging;
    storage.close();
  });

  test('cannot be submitted if they are purged while the submission is created', async () => {
    const { blobPath } = await upload();
    const isWaiting = async () => {
      const { rows } = await sql`
        select from pg_stat_activity
        where datname = current_database() and query like '%insert into assets%' and wait_event_type = 'Lock'`.execute(
        api.handles.db,
      );
      return rows.length > 0;
    };
    const created = await api.handles.db.transaction().execute(async (transaction) => {
      await sql`update blobs set emptied_at = now() where ${blobPath} like '%' || blob_id || '%'`.execute(transaction);
      const creating = client.post('/submissions', { assets: [{ blobPath }] });
      await expect.poll(isWaiting, { interval: 20 }).toBe(true);
      return { creating };
    });
    expect(await created.creating).toMatchObject({ status: 403, body: { code: 'invalid_blob_path' } });
  });
});

describe('results', () => {
  test('are kept for 365 days after the submission finishes, then deleted together with its media', async () => {
    const blobPath = await uploadText(client, `${randomUUID()}.txt`);
    const submissionId = await submitAndFinish(blobPath);
    await deleteExpired(inDays(364), retentionPeriods, rowRemovers);
    expect((await client.get(`/submissions/${submissionId}`)).status).toBe(200);
    await deleteExpired(inDays(366), retentionPeriods, rowRemovers);
    expect((await client.get(`/submissions/${submissionId}`)).status).toBe(404);
    await purgeMedia(inDays(366), retentionPeriods);
    await purgeMedia(inDays(367), retentionPeriods);
    expect(await blobExists(blobPath)).toBe(false);
    for (const table of ['blobs', 'submissions', 'assets', 'issues', 'asset_versions'] as const) {
      expect(await countRows(table), table).toBe(0);
    }
  });

  test('the partitions of a month are dropped together once the month is empty in every table', async () => {
    const month = new Date().toISOString().slice(0, 7).replace('-', '_');
    const tablesOfMonth = async () =>
      (await api.handles.db.introspection.getTables()).map(({ name }) => name).filter((name) => name.endsWith(month));
    await submitAndFinish(await uploadText(client));
    const all = await tablesOfMonth();
    expect(all).toEqual(expect.arrayContaining([`submissions_${month}`, `examinations_${month}`, `events_${month}`]));
    await deleteExpired(inDays(62), { ...retentionPeriods, resultsDays: 63 }, rowRemovers);
    expect(await tablesOfMonth()).toEqual(all);
    await deleteExpired(inDays(62), { ...retentionPeriods, resultsDays: 31 }, rowRemovers);
    expect(await tablesOfMonth()).toEqual([]);
  });

  test('a month that is not empty keeps all of its partitions', async () => {
    const month = new Date().toISOString().slice(0, 7).replace('-', '_');
    const { db } = api.handles;
    await makeMonths(db, new Date(), 1);
    await submitAndFinish(await uploadText(client));
    await dropEmptyMonths(db, new Date(Date.now() + 62 * 24 * hourMillis));
    const names = (await db.introspection.getTables()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([`issue_decisions_${month}`, `examinations_${month}`]));
  });

  test('an empty month is dropped without holding back queries, also after an interruption', async () => {
    const { db } = api.handles;
    const month = '2020_02';
    const names = async () =>
      (await db.introspection.getTables()).map(({ name }) => name).filter((name) => name.endsWith(month));
    const drop = () => dropEmptyMonths(db, new Date('2020-06-01T00:00:00Z'));
    await makeMonths(db, new Date('2020-02-15T00:00:00Z'), 1);
    // What interruptions of earlier versions may have left.
    await sql`alter table submissions detach partition submissions_2020_02 concurrently`.execute(ownerDb);
    await db.transaction().execute(async (reader) => {
      await sql`select from assets, deliveries, events limit 1`.execute(reader);
      const detaching = sql`alter table events detach partition events_2020_02 concurrently`.execute(ownerDb);
      await expect(detaching).rejects.toThrow('not available'); // it waits for the reader, longer than a statement may take

      let outcome = 'in progress';
      const dropping = drop().catch((error: Error) => {
        outcome = error.message;
      });
      while (outcome === 'in progress') {
        await db.transaction().execute(async (other) => {
          await sql`set local lock_timeout = '20ms'`.execute(other); // a query that has to wait for longer fails
          for (const table of ['submissions', 'assets', 'issues', 'events'])
            await sql`select from ${sql.table(table)} limit 1`.execute(other);
        });
      }
      await dropping;
      expect(outcome).toContain('assets is in use');
    });
    expect(await names()).toContain(`assets_${month}`);
    await drop();
    expect(await names()).toEqual([]);
  });

  test('a month that is not empty cannot be dropped by the service, whatever it asks for', async () => {
    const { db } = api.handles;
    await submitAndFinish(await uploadText(client));
    const month = new Date().toISOString().slice(0, 7).replace('-', '_');
    await sql`select drop_empty_month_table('infinity')`.execute(db);
    expect((await db.introspection.getTables()).map(({ name }) => name)).toContain(`submissions_${month}`);
    await makeMonths(db, new Date(), 5);
    for (const statement of [
      sql`drop table ${sql.table(`submissions_${month}`)}`,
      sql`alter table submissions detach partition ${sql.table(`submissions_${month}`)}`,
    ]) {
      await expect(statement.execute(db)).rejects.toThrow('must be owner');
    }
  });
});

describe('a wrong clock', () => {
  const aYearAhead: Handles = { ...api.handles, clock: { now: () => new Date(Date.now() + 366 * 24 * hourMillis) } };

  test('prevents deletion, fails the health check and is shown in a metric', async () => {
    const submissionId = await submitAndFinish(await uploadText(client));
    const deletion = deletingByDatabaseTime(aYearAhead, (handles, signal) =>
      deleteExpired(handles, retentionPeriods, rowRemovers, signal),
    );
    await deletion(new AbortController().signal);
    expect((await client.get(`/submissions/${submissionId}`)).status).toBe(200);
    await expect(checkClock(aYearAhead)).rejects.toThrow('the clock is off');
    const metrics = await api.handles.metrics.metrics();
    expect(Number(/^assay_clock_skew_seconds (\S+)/m.exec(metrics)?.[1])).toBeGreaterThan(360 * 86_400);
  });

  test("that is less than a minute off is harmless, because the database's time is used", async () => {
    const slightlyOff: Handles = { ...api.handles, clock: { now: () => new Date(Date.now() + 50_000) } };
    let usedTime: Date | undefined;
    await deletingByDatabaseTime(slightlyOff, async ({ clock }) => {
      usedTime = clock.now();
    })(new AbortController().signal);
    expect(Math.abs((usedTime?.getTime() ?? 0) - Date.now())).toBeLessThan(30_000);
    await checkClock(slightlyOff);
  });
});

async function countLockWaits(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(api.handles.db);
  return rows[0]?.count ?? 0;
}

describe('deletion of expired data', () => {
  test('continues after a failure, and counts it', async () => {
    const [stuck, other] = [
      await submitAndFinish(await uploadText(client)),
      await submitAndFinish(await uploadText(client)),
    ];
    await sql`
      create function refuse_deletion() returns trigger language plpgsql as $$ begin raise 'stuck'; end $$`.execute(
      ownerDb,
    );
    await sql`
      create trigger refuse_deletion before delete on submissions for each row
      when (old.submission_id = ${sql.lit(stuck)}) execute function refuse_deletion()`.execute(ownerDb);
    await deleteExpired(inDays(366), retentionPeriods, rowRemovers);
    expect((await client.get(`/submissions/${stuck}`)).status).toBe(200);
    expect((await client.get(`/submissions/${other}`)).status).toBe(404);
    expect(await api.handles.metrics.metrics()).toMatch(
      /assay_job_failures_total\{job="delete-expired-submissions"\} [1-9]/,
    );
    await sql`drop trigger refuse_deletion on submissions`.execute(ownerDb);
  });

  test('stops after the current submission when aborted', async () => {
    await submitAndFinish(await uploadText(client));
    await submitAndFinish(await uploadText(client));
    const before = await countRows('submissions');
    const stop = new AbortController();
    const { clock } = inDays(366);
    let checks = 0;
    // The clock is read at the start, for the stored responses, and once per submission.
    const now = () => {
      if (++checks === 3) stop.abort();
      return clock.now();
    };
    await deleteExpired({ ...api.handles, clock: { now } }, retentionPeriods, rowRemovers, stop.signal);
    expect(await countRows('submissions')).toBe(before - 1);
  });

  test('skips a submission that was retried meanwhile', async () => {
    const submissionId = await submitAndFinish(await uploadText(client));
    const { db } = api.handles;
    let deletion: Promise<void> = Promise.resolve();
    await db.transaction().execute(async (transaction) => {
      await sql`select from submissions where submission_id = ${submissionId} for update`.execute(transaction);
      deletion = deleteExpired(inDays(366), retentionPeriods, rowRemovers);
      await expect.poll(countLockWaits).toBeGreaterThan(0);
      await sql`update submissions set completed_at = null where submission_id = ${submissionId}`.execute(transaction);
    });
    await deletion;
    expect((await client.get(`/submissions/${submissionId}`)).status).toBe(200);
  });
});
