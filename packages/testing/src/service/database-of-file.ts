import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { copyDatabase, dropDatabase } from './make-database.ts';

let url: string | undefined;

/** Makes the database of the test file that starts; returns a function that drops it. */
export async function openDatabaseOfFile(): Promise<() => Promise<void>> {
  const serverUrl = inject('environment').DATABASE_URL as string;
  const name = `assay_test_${randomUUID().replaceAll('-', '')}`;
  url = await copyDatabase(inject('templateUrl'), name);
  return () => dropDatabase(serverUrl, name);
}

/** The database of the test file that runs now. */
export function databaseUrlOfFile(): string {
  if (!url) throw new Error('this project has no setup file that makes databases: see vitest.config.ts');
  return url;
}
