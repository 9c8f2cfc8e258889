import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, migrationsDir, runDbmate } from '@assay/server/platform/postgres/migrate.ts';
import { asOwner } from '@assay/testing/service/make-database.ts';
import type pg from 'pg';
import { type Load, startLoad } from './load.ts';
import { type LongestLock, watchLocks } from './locks.ts';

/** The newest migration of the first version; the bench fills this schema. */
const firstVersion = '20261115000005_webhooks.sql';

const files = () =>
  readdirSync(migrationsDir)
    .filter((name) => /^\d+_.*\.sql$/.test(name))
    .toSorted();

export type MigrationResult = { name: string; seconds: number; lock: LongestLock; load: Load };

/** Applies migrations one by one: each with dbmate, which sees only those up to it. */
function openFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'assay-migrations-'));
  return {
    folder,
    add: (name: string) => copyFileSync(join(migrationsDir, name), join(folder, name)),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

export async function migrateToFirstVersion(databaseUrl: string): Promise<void> {
  const { folder, add, remove } = openFolder();
  for (const name of files()) if (name <= firstVersion) add(name);
  await runDbmate(databaseUrl, folder);
  remove();
}

/** Applies each later migration, then grants the rights of the service and builds the indexes, while other connections read, create and settle. */
export async function migrateUnderLoad(serviceUrl: string, superuser: pg.Client): Promise<MigrationResult[]> {
  const databaseUrl = asOwner(serviceUrl); // the service has no rights before the last step
  const { folder, add, remove } = openFolder();
  for (const name of files()) if (name <= firstVersion) add(name);
  const results: MigrationResult[] = [];
  const measure = async (name: string, work: () => Promise<void>) => {
    const locks = await watchLocks(databaseUrl, superuser);
    const load = await startLoad(databaseUrl);
    const began = performance.now();
    let seconds = 0;
    try {
      await work();
      seconds = (performance.now() - began) / 1000;
    } finally {
      results.push({ name, seconds, load: await load.stop(), lock: await locks.stop() });
    }
  };
  for (const name of files().filter((one) => one > firstVersion)) {
    add(name);
    await measure(name, () => runDbmate(databaseUrl, folder));
  }
  remove();
  await measure('indexes.sql', () => migrate(databaseUrl, serviceUrl));
  return results;
}
