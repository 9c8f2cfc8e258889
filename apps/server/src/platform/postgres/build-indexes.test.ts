import { randomUUID } from 'node:crypto';
import { asOwner, copyDatabase, dropDatabase } from '@assay/testing/service/make-database.ts';
import pg from 'pg';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { migrate } from './migrate.ts';

const allIndexes = 'select tablename, indexname, indexdef from pg_indexes order by 1, 2';
const unfinished = `
  select indexrelid::regclass::text as name from pg_index
  where not indisvalid and indrelid not in (select oid from pg_class where relkind = 't')`;

/** A database with the newest schema, but without these indexes. */
async function openWithout(...names: string[]) {
  const serverUrl = inject('environment').DATABASE_URL as string;
  const name = `assay_indexes_${randomUUID().replaceAll('-', '')}`;
  const url = asOwner(await copyDatabase(inject('templateUrl'), name));
  onTestFinished(() => dropDatabase(serverUrl, name));
  const open = async () => {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {}); // the database is dropped at the end
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  };
  const client = await open();
  const { rows: expected } = await client.query(allIndexes);
  await client.query(`drop index ${names.join(', ')}`);
  return { url, client, open, expected };
}

/** An index that is built concurrently waits for this transaction, which uses neither of its tables. */
async function beginOldTransaction(client: pg.Client) {
  await client.query('begin isolation level repeatable read; select from workspaces');
}

/** Waits until an index is being built and waits for an older transaction. Returns its session. */
const untilBuilding = (client: pg.Client): Promise<number> =>
  vi.waitFor(
    async () => {
      const { rows } = await client.query(`
        select pid from pg_stat_activity where datname = current_database()
          and wait_event = 'virtualxid' and query like 'create index concurrently%'`);
      expect(rows).toHaveLength(1);
      return rows[0].pid;
    },
    { timeout: 60_000, interval: 50 },
  );

const lockTimeoutMillis = 500;

test('an index waits for an old transaction as long as it takes, and nobody waits for the index', async () => {
  const { url, client, open, expected } = await openWithout('submissions_unfinished', 'blobs_by_next_look');
  const old = await open();
  await beginOldTransaction(old);
  const migrated = migrate(url);
  await untilBuilding(client);
  // Longer than statements may wait that do block others.
  await client.query(`select pg_sleep($1)`, [(2 * lockTimeoutMillis) / 1000]);
  await untilBuilding(client);
  await client.query(`set statement_timeout = '10s'`);
  await client.query('update submissions set status = status');
  await client.query('select count(*) from submissions');
  await client.query(`update blobs set next_look_at = now()`);
  await old.query('commit');
  await migrated;
  expect((await client.query(allIndexes)).rows).toEqual(expected);
  expect((await client.query(unfinished)).rows).toEqual([]);
});

test('two processes that migrate at once do not block each other while an index is built', async () => {
  const { url, client, open, expected } = await openWithout('submissions_unfinished');
  const old = await open();
  await beginOldTransaction(old);
  const first = migrate(url);
  await untilBuilding(client);
  const second = migrate(url);
  await vi.waitFor(
    async () => {
      const { rows } = await client.query(`
        select from pg_stat_activity where datname = current_database() and query like '%advisory_lock%'`);
      expect(rows.length).toBeGreaterThan(0);
    },
    { timeout: 60_000 },
  );
  await old.query('commit');
  await Promise.all([first, second]);
  expect((await client.query(allIndexes)).rows).toEqual(expected);
});

test.each(['submissions_unfinished', 'blobs_by_next_look'])(
  'after building %s was interrupted, the next migration completes it',
  async (name) => {
    const { url, client, open, expected } = await openWithout(name);
    const old = await open();
    await beginOldTransaction(old);
    const interrupted = migrate(url).catch((error: Error) => error);
    const pid = await untilBuilding(client);
    await client.query('select pg_cancel_backend($1)', [pid]);
    expect(await interrupted).toBeInstanceOf(Error);
    expect((await client.query(unfinished)).rows).not.toEqual([]);
    await old.query('commit');
    await migrate(url);
    expect((await client.query(allIndexes)).rows).toEqual(expected);
    expect((await client.query(unfinished)).rows).toEqual([]);
  },
);

test('a month that is added while an index is incomplete gets the index too', async () => {
  const { url, client, open } = await openWithout('submissions_unfinished');
  const old = await open();
  await beginOldTransaction(old);
  const migrated = migrate(url);
  await untilBuilding(client);
  await client.query("select make_months(now() + interval '1 year', 1)");
  await old.query('commit');
  await migrated;
  const { rows } = await client.query(`
    select from pg_inherits p where inhparent = 'submissions'::regclass and not exists (
      select from pg_index i join pg_inherits c on c.inhrelid = i.indexrelid
      where i.indrelid = p.inhrelid and c.inhparent = 'submissions_unfinished'::regclass)`);
  expect(rows).toEqual([]);
});
