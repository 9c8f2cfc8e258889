import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migrate } from '@assay/server/platform/postgres/migrate.ts';
import { root } from '@assay/testing/run/root.ts';
import { asOwner, createDatabase, dropDatabase } from '@assay/testing/service/make-database.ts';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';

// The migrations that were rewritten, as they were applied to databases before. A file can go when SUPPORT.md no longer
// covers a database that it was applied to. The texts are kept, not a digest of their schema: a digest would change with
// the month and with the version of pg_dump, and say nothing about what differs.
const landed = join(import.meta.dirname, 'landed');
const current = join(root, 'apps', 'server', 'migrations');
const versions = readdirSync(current)
  .filter((name) => /^\d+_.*\.sql$/.test(name))
  .toSorted();
const rewritten = readdirSync(landed);
const ledger = '20261116000007_credit_totals.sql';

test('a database that the earlier texts migrated ends with the schema of a new one', async () => {
  const [before, now] = await Promise.all([openEmptyDatabase(), openEmptyDatabase()]);
  // The newest file that was rewritten, and those before it: what a database of then has.
  const applied = versions.filter((name) => name <= (rewritten.toSorted().at(-1) as string));
  for (const name of applied) await apply(before.client, name, existsSync(join(landed, name)) ? landed : current);
  await Promise.all([migrate(before.url), migrate(now.url)]);
  expect(await dumpSchema(before.url)).toBe(await dumpSchema(now.url));
});

test('a rewritten file that was interrupted can be applied again from its beginning, and counts credits once', async () => {
  const [twice, once] = await Promise.all([openEmptyDatabase(), openEmptyDatabase()]);
  const workspaceId = randomUUID();
  for (const name of versions) {
    if (name === ledger) await spendCredits(twice.client, workspaceId, 3);
    await apply(twice.client, name, current);
    if (name === ledger) await spendCredits(twice.client, workspaceId, 4);
    if (rewritten.includes(name) && readUp(name, current).isRepeatable) await apply(twice.client, name, current);
  }
  await Promise.all([migrate(twice.url), migrate(once.url)]);
  expect(await dumpSchema(twice.url)).toBe(await dumpSchema(once.url));
  const { rows } = await twice.client.query('select sum(credits)::int as credits from credit_totals');
  expect(rows).toEqual([{ credits: 7 }]);
});

async function openEmptyDatabase(): Promise<{ url: string; client: pg.Client }> {
  const serverUrl = inject('environment').DATABASE_URL as string;
  const name = `assay_migrations_${randomUUID().replaceAll('-', '')}`;
  const url = asOwner(await createDatabase(serverUrl, name));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('create table schema_migrations (version varchar(128) primary key)'); // as dbmate creates it
  onTestFinished(async () => {
    await client.end();
    await dropDatabase(serverUrl, name);
  });
  return { url, client };
}

/** As dbmate does: the whole section as one query. */
async function apply(client: pg.Client, name: string, folder: string): Promise<void> {
  const { up, isRepeatable } = readUp(name, folder);
  await client.query(isRepeatable ? up : `begin; ${up}; commit`);
  await client.query('insert into schema_migrations values ($1) on conflict do nothing', [name.split('_')[0]]);
}

function readUp(name: string, folder: string): { up: string; isRepeatable: boolean } {
  const [first = ''] = readFileSync(join(folder, name), 'utf8').split('-- migrate:down');
  return { up: first, isRepeatable: first.startsWith('-- migrate:up transaction:false') };
}

async function spendCredits(client: pg.Client, workspaceId: string, credits: number): Promise<void> {
  await client.query(
    `insert into workspaces (workspace_id, name, tier) values ($1, 'a', 'pro') on conflict do nothing`,
    [workspaceId],
  );
  await client.query(`insert into credit_entries (workspace_id, asset_id, attempt, credits) values ($1, $2, 1, $3)`, [
    workspaceId,
    randomUUID(),
    credits,
  ]);
}

async function dumpSchema(url: string): Promise<string> {
  const { stdout } = await promisify(execFile)('pg_dump', ['--schema-only', '--no-owner', url], {
    maxBuffer: 64 * 1024 * 1024,
  });
  // A random token of newer minor versions of pg_dump.
  return stdout.replaceAll(/^\\(un)?restrict .*$/gm, '');
}
