import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { resolveBinary } from 'dbmate';
import { sql } from 'kysely';
import pg from 'pg';
import { explainFailure } from '../connections/explain-failure.ts';
import type { Db } from './db.ts';

const migrationsDir = join(import.meta.dirname, '..', '..', '..', 'migrations');
// The id of the advisory lock that a migration holds. The number is arbitrary.
const migrationLock = 7_118_302;
// While a statement waits for a lock on a table, every later statement on that table waits behind it. So a migration
// gives up soon, and lets those statements pass before it tries again.
const lockTimeout = '3s';
const triesMax = 10;
const pauseMillis = 2000;

/** Migrates the database to the newest schema. Several processes may run this: one migrates, the others wait. */
export async function migrate(databaseUrl: string): Promise<void> {
  const guard = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000 });
  await guard.connect().catch((cause) => {
    throw new Error(`cannot connect to PostgreSQL: ${explainFailure(cause)}`, { cause });
  });
  try {
    await guard.query('select pg_advisory_lock($1)', [migrationLock]);
    await runDbmate(databaseUrl);
  } finally {
    await guard.end();
  }
}

/** Migrates with dbmate, which opens its own connection, so the URL must also be valid for dbmate. */
export async function runDbmate(databaseUrl: string): Promise<void> {
  const url = new URL(databaseUrl);
  if (!url.searchParams.has('lock_timeout')) url.searchParams.set('lock_timeout', lockTimeout);
  for (let tries = 1; ; tries++) {
    const { code, errors } = await runDbmateOnce(url.href);
    if (code === 0) return;
    const isLocked = errors.includes('lock timeout');
    if (!isLocked) throw new Error(`dbmate exited with code ${code}; see its output above`);
    if (tries === triesMax) throw new Error(`${triesMax} tries to lock a table failed. ${lockAdvice}`);
    console.error(`A table is in use; trying again in ${pauseMillis / 1000} s (${tries} of ${triesMax}).`);
    await sleep(pauseMillis);
  }
}

const lockAdvice = `Long transactions hold it: pg_stat_activity lists them. What was migrated so far stays; run the \
command again later.`;

async function runDbmateOnce(databaseUrl: string): Promise<{ code: number; errors: string }> {
  const args = ['--migrations-dir', migrationsDir, '--no-dump-schema', 'migrate'];
  const child = spawn(resolveBinary(), args, {
    // Passed in the environment, because arguments are visible to every user of the host.
    env: { DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  child.stderr.pipe(process.stderr, { end: false });
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { code, errors };
}

/** The migrations that the database lacks, and those of the database that this version does not have. */
export async function compareSchema(db: Db): Promise<{ pending: string[]; unknown: string[] }> {
  const files = (await readdir(migrationsDir)).filter((name) => name.endsWith('.sql')).toSorted();
  const versionOf = (name: string) => name.split('_')[0] as string;
  const { rows: tables } = await sql<{
    found: string | null;
  }>`select to_regclass('schema_migrations') as found`.execute(db);
  if (!tables[0]?.found) return { pending: files, unknown: [] };
  const { rows } = await sql<{ version: string }>`select version from schema_migrations order by version`.execute(db);
  const applied = new Set(rows.map(({ version }) => version));
  const known = new Set(files.map(versionOf));
  return {
    pending: files.filter((name) => !applied.has(versionOf(name))),
    unknown: [...applied].filter((version) => !known.has(version)),
  };
}
