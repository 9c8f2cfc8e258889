import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { resolveBinary } from 'dbmate';
import { CompiledQuery, sql } from 'kysely';
import pg from 'pg';
import { explainFailure } from '../connections/explain-failure.ts';
import { buildIndex, parseIndexes, unbuiltIndexes } from './build-indexes.ts';
import type { Db } from './db.ts';
import { grantToService, userOf } from './service-role.ts';

export const migrationsDir = join(import.meta.dirname, '..', '..', '..', 'migrations');
// The id of the advisory lock that a migration holds. The number is arbitrary.
const migrationLock = 7_118_302;
// While a statement waits for a lock on a table, every later statement on that table waits behind it, and requests have
// 2.5 s. So such a statement gives up soon, and lets the others pass before it tries again.
const lockTimeout = '500ms';
const triesMax = 20;
const pauseMillis = 2000;
const waitMillis = 1000;
const lockNotAvailable = '55P03';

/**
 * Migrates the database to the newest schema. Several processes may run this: one migrates, the others wait. The user of
 * `databaseUrl` owns what it creates; a different one in `serviceUrl` gets the rights that the service needs.
 */
export async function migrate(databaseUrl: string, serviceUrl = databaseUrl): Promise<void> {
  const guard = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000 });
  await guard.connect().catch((cause) => {
    throw new Error(`cannot connect to PostgreSQL: ${explainFailure(cause)}`, { cause });
  });
  try {
    // A concurrent index waits for running statements, so whoever waited in a statement would never get the lock.
    while (!(await tryToLock(guard))) await sleep(waitMillis);
    await runDbmate(databaseUrl);
    // Before the indexes, which may take long.
    if (userOf(serviceUrl) !== userOf(databaseUrl)) await grantToService(guard, serviceUrl);
    // By the session that holds the lock: if this process is killed, the lock stays as long as the statement runs.
    await guard.query('set lock_timeout = 0; set statement_timeout = 0');
    for (const index of await readIndexes())
      await buildIndex(guard, index, (statement) => runBriefly(guard, statement));
  } finally {
    await guard.end();
  }
}

async function tryToLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_lock($1) as "isLocked"', [migrationLock]);
  return rows[0].isLocked;
}

/** Migrates with dbmate, which opens its own connection, so the URL must also be valid for dbmate. */
export async function runDbmate(databaseUrl: string, folder = migrationsDir): Promise<void> {
  const url = new URL(databaseUrl);
  if (!url.searchParams.has('lock_timeout')) url.searchParams.set('lock_timeout', lockTimeout);
  await repeatWhileLocked(async () => {
    const { code, errors } = await runDbmateOnce(url.href, folder);
    const isLocked = /lock timeout|deadlock detected/.test(errors);
    if (code !== 0 && !isLocked) throw new Error(`dbmate exited with code ${code}; see its output above`);
    return code !== 0;
  });
}

function runBriefly(client: pg.Client, statement: string): Promise<void> {
  return repeatWhileLocked(async () => {
    await client.query(`set lock_timeout = '${lockTimeout}'`);
    try {
      await client.query(statement);
      return false;
    } catch (error) {
      if ((error as pg.DatabaseError).code !== lockNotAvailable) throw error;
      return true;
    } finally {
      await client.query('set lock_timeout = 0');
    }
  });
}

/** `run` returns whether a lock has stopped it. */
async function repeatWhileLocked(run: () => Promise<boolean>): Promise<void> {
  for (let tries = 1; await run(); tries++) {
    if (tries === triesMax) throw new Error(`${triesMax} tries to lock a table failed. ${lockAdvice}`);
    console.error(`A table is in use; trying again in ${pauseMillis / 1000} s (${tries} of ${triesMax}).`);
    await sleep(pauseMillis);
  }
}

const lockAdvice = `Long transactions hold it: pg_stat_activity lists them. What was migrated so far stays; run the \
command again later.`;

const readIndexes = async () => parseIndexes(await readFile(join(migrationsDir, 'indexes.sql'), 'utf8'));

async function runDbmateOnce(databaseUrl: string, folder: string): Promise<{ code: number; errors: string }> {
  const args = ['--migrations-dir', folder, '--no-dump-schema', 'migrate'];
  const child = spawn(resolveBinary(), args, {
    // Passed in the environment, because arguments are visible to every user of the host.
    env: { DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  child.stderr.pipe(process.stderr, { end: false });
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { code, errors };
}

/** The migrations and indexes that the database lacks, and its migrations that this version does not have. */
export async function compareSchema(db: Db): Promise<{ pending: string[]; unknown: string[] }> {
  const files = (await readdir(migrationsDir)).filter((name) => /^\d+_.*\.sql$/.test(name)).toSorted();
  const versionOf = (name: string) => name.split('_')[0] as string;
  const { rows: tables } = await sql<{
    found: string | null;
  }>`select to_regclass('schema_migrations') as found`.execute(db);
  if (!tables[0]?.found) return { pending: files, unknown: [] };
  const { rows } = await sql<{ version: string }>`select version from schema_migrations order by version`.execute(db);
  const applied = new Set(rows.map(({ version }) => version));
  const known = new Set(files.map(versionOf));
  const names = (await readIndexes()).map(({ name }) => name);
  const indexes = await db.executeQuery<{ name: string }>(CompiledQuery.raw(unbuiltIndexes, [names]));
  return {
    pending: [
      ...files.filter((name) => !applied.has(versionOf(name))),
      ...indexes.rows.map(({ name }) => `the index ${name}`),
    ],
    unknown: [...applied].filter((version) => !known.has(version)),
  };
}
