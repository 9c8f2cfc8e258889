import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { copyDatabase, dropDatabase } from './make-database.ts';

let url: string | undefined;

/** Creates a database for the test file that is starting, and returns a function that drops it. */
export async function createTestFileDatabase(): Promise<() => Promise<void>> {
  const serverUrl = inject('environment').DATABASE_URL as string;
  const name = `assay_test_${randomUUID().replaceAll('-', '')}`;
  url = await copyDatabase(inject('templateUrl'), name);
  return () => dropDatabase(serverUrl, name);
}

/** The database URL of the test file that is running. */
export function testFileDatabaseUrl(): string {
  if (!url) throw new Error('this project has no setup file that makes databases: see vitest.config.ts');
  return url;
}
