import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { resolveBinary } from 'dbmate';
import pg from 'pg';
import { explainFailure } from './connections/explain-failure.ts';

const migrationsDir = join(import.meta.dirname, '..', '..', 'migrations');
// An arbitrary constant: the advisory lock of whoever migrates.
const migrationLock = 7_118_302;

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

/** Fails unless the URL is valid for dbmate as well: it makes a connection of its own. */
export async function runDbmate(databaseUrl: string): Promise<void> {
  const args = ['--migrations-dir', migrationsDir, '--no-dump-schema', 'migrate'];
  const child = spawn(resolveBinary(), args, {
    // Passed in the environment: arguments are visible to every user of the machine.
    env: { DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`dbmate exited with code ${code}; see its output above`);
}
