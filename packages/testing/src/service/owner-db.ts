import { openLog } from '@assay/server/platform/log.ts';
import { type Db, openDb } from '@assay/server/platform/postgres/db.ts';
import { afterAll } from 'vitest';
import { testFileDatabaseUrl } from './database-of-file.ts';
import { asOwner } from './make-database.ts';

/**
 * Connects to the database of the test file as the role that owns the tables, for what the service may not do, such as
 * changing a table. Must be called outside of tests.
 */
export function openOwnerDb(): Db {
  const { db } = openDb(asOwner(testFileDatabaseUrl()), 2, openLog('fatal'));
  afterAll(() => db.destroy());
  return db;
}
