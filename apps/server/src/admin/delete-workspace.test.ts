import { randomUUID } from 'node:crypto';
import { liftedLimits, openTestApi, openTestWorker, openWorkspace } from '@assay/testing/service/api.ts';
import { openReceiver } from '@assay/testing/service/receiver.ts';
import { submit, untilFinished, uploadPdf, uploadText } from '@assay/testing/service/submissions.ts';
import { fire, subscribe } from '@assay/testing/service/webhooks.ts';
import { openContainer } from '@assay/testing/storage/blobs.ts';
import { listBlobNames } from '@assay/testing/storage/two-stores.ts';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { purgeMedia } from '#modules/uploads/retention/purge-media.ts';

const api = await openTestApi({
  ...liftedLimits,
  WORKER_QUEUES: 'control,sandbox,document',
  WEBHOOK_ALLOWED_CIDRS: '127.0.0.1',
});
await openTestWorker({ ...api.config, SWEEP_SECONDS: 3600 }); // the test purges the blobs itself
const waitingApi = await openTestApi(liftedLimits); // without a worker: submissions stay queued
const { handles, admin } = api;
const { db } = handles;
const receiver = await openReceiver();
afterAll(() => receiver.close());

type Counts = Record<string, number>;
type Output = { wouldDelete?: Counts; left: Counts; isFinished: boolean };
const deleteWorkspace = (workspaceId: string, ...more: string[]) =>
  admin('workspace', 'delete', '--workspace', workspaceId, ...more) as Promise<Output>;
const nameOf = async (workspaceId: string) =>
  (await db.selectFrom('workspaces').select('name').where('workspace_id', '=', workspaceId).executeTakeFirstOrThrow())
    .name;

/** What stays: numbers, hashes of revoked keys, and the record of what operators did. */
const keptTables = ['workspaces', 'admin_actions', 'api_keys', 'version_groups'];
const numberTables = ['credit_entries', 'credit_totals', 'storage_totals'];
/** What jobs of the worker delete later: the stored files, and revisions of profiles after a day. */
const deletedLater = ['blobs', 'profiles', 'profile_revisions'];

/** The number of rows of a workspace in each table that has its id, without the empty ones. */
async function countRows(workspaceId: string): Promise<Counts> {
  const { rows: tables } = await sql<{ name: string }>`
    select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attname = 'workspace_id' and c.relkind in ('r', 'p') and not c.relispartition
      and c.relnamespace = current_schema()::regnamespace`.execute(db);
  const counts: Counts = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.table(name)} where workspace_id = ${workspaceId}`.execute(db);
    if (rows[0]?.count) counts[name] = rows[0].count;
  }
  return counts;
}

/** A workspace with a bit of everything, finished and unfinished. */
async function fillWorkspace() {
  const { live, sandbox, ...workspace } = await openWorkspace(api);
  await subscribe(live, receiver.url);
  const blobPath = await uploadPdf(live);
  const headers = { 'idempotency-key': randomUUID() };
  const { body } = await live.post('/submissions', { assets: [{ blobPath }] }, { headers });
  await untilFinished(live, body.submissionId);
  await fire(sandbox, (await submit(sandbox, [await uploadText(sandbox)])).submissionId);
  await live.post('/profiles', { name: 'ours' });
  await submit(waitingApi.client(workspace.liveKey), [await uploadText(live)]);
  await uploadText(live, 'never-submitted.txt');
  return { ...workspace, live, blobPath };
}

test('a deleted workspace leaves no submission, result, event, subscription, response or file behind, and no other workspace changes', async () => {
  const doomed = await fillWorkspace();
  const other = await fillWorkspace();
  const before = await countRows(other.workspaceId);
  expect(await deleteWorkspace(doomed.workspaceId)).toMatchObject({
    wouldDelete: { submissions: 3, subscriptions: 1, profiles: 1, keys: 2, files: 4 },
  });
  await expect(deleteWorkspace(doomed.workspaceId, '--confirm', 'another name')).rejects.toThrow('must be the name');
  expect((await doomed.live.get('/me')).status).toBe(200);

  const name = await nameOf(doomed.workspaceId);
  const { left, isFinished } = await deleteWorkspace(doomed.workspaceId, '--confirm', name);
  expect({ left, isFinished }).toMatchObject({
    left: { submissions: 0, subscriptions: 0, profiles: 0, keys: 0, files: 4 },
    isFinished: false,
  });
  expect((await doomed.live.get('/me')).status).toBe(401);
  const rows = Object.keys(await countRows(doomed.workspaceId));
  expect(rows.filter((table) => ![...keptTables, ...numberTables, ...deletedLater].includes(table))).toEqual([]);
  expect(await countRows(other.workspaceId)).toEqual(before);
  const listed = (await admin('workspace', 'list')) as { workspaceId: string }[];
  expect(listed.map(({ workspaceId }) => workspaceId)).not.toContain(doomed.workspaceId);
  expect(await nameOf(doomed.workspaceId)).toBe('deleted');

  // Jobs of the worker delete the files: after two days, the one that was never submitted too.
  for (const hours of [49, 51]) {
    const clock = { now: () => new Date(Date.now() + hours * 3_600_000) };
    await purgeMedia({ ...handles, clock }, { unsubmittedHours: 48, mediaDays: 30, resultsDays: 365 });
  }
  expect(await listBlobNames(openContainer(api.config), doomed.workspaceId)).toEqual([]);
  expect(await deleteWorkspace(doomed.workspaceId)).toMatchObject({ isFinished: true });
});

test('a deleted workspace can be neither changed nor given a key', async () => {
  const { workspaceId } = await api.makeWorkspace();
  await deleteWorkspace(workspaceId, '--confirm', await nameOf(workspaceId));
  const ofWorkspace = ['--workspace', workspaceId];
  const changes = [
    ['key', 'create', ...ofWorkspace, '--mode', 'live'],
    ['workspace', 'rename', ...ofWorkspace, '--name', 'a'],
    ['workspace', 'set-tier', ...ofWorkspace, '--tier', 'pro'],
    ['workspace', 'set-profile', ...ofWorkspace, '--profile', 'general'],
  ];
  for (const change of changes) await expect(admin(...change)).rejects.toThrow('Workspace not found');
});
