import { partsWith, up } from '@assay/stack/control.ts';
import { environmentOf, openInstance } from '@assay/stack/instance.ts';
import { dropDatabase, makeDatabase } from './make-database.ts';

/** For programs that are not tests: starts the test stack, with a new database that is dropped afterwards. */
export async function withTestStack<Result>(
  name: string,
  use: (environment: Record<string, string>) => Promise<Result>,
): Promise<Result> {
  const instance = openInstance('test');
  await up(instance, partsWith(instance.storage));
  const environment = environmentOf(instance);
  const serverUrl = environment.DATABASE_URL as string;
  const databaseName = `assay_${name}_${process.pid}`; // unique to this run, because two may run at the same time
  const databaseUrl = await makeDatabase(serverUrl, databaseName);
  try {
    return await use({ ...environment, DATABASE_URL: databaseUrl });
  } finally {
    await dropDatabase(serverUrl, databaseName);
  }
}
