import { down, partsWith, up } from '@assay/stack/control.ts';
import { environmentOf, openInstance, type Storage, storages } from '@assay/stack/instance.ts';
import { minio } from '@assay/stack/parts/minio.ts';
import type { TestProject } from 'vitest/node';
import { bundleCode } from '../run/bundle-code.ts';
import { hasMinio } from '../storage/stores.ts';
import { asOwner, dropDatabase, findTemplate, makeDatabase } from './make-database.ts';

/**
 * Starts the real dependencies on separate ports, with a new database per run and a template for those of test files.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const instance = openInstance('test');
  bundleCode();
  // All object stores are started, because some tests compare them.
  await up(instance, [...new Set(storages.flatMap(partsWith)), ...(hasMinio ? [minio] : [])]);
  // Azure is always configured, also if tests store their media in S3.
  const environment = {
    ...environmentOf({ ...instance, storage: 'azure' }),
    ...environmentOf({ ...instance, storage: chooseStorage(project.name) }),
  };
  const serverUrl = environment.DATABASE_URL as string;
  // The name is unique to this run and project, because two may run at the same time.
  const databaseName = `assay_test_${project.name}_${process.pid}`;
  const databaseUrl = await makeDatabase(serverUrl, databaseName);
  const databaseUrls = { DATABASE_URL: databaseUrl, MIGRATION_DATABASE_URL: asOwner(databaseUrl) };
  project.provide('environment', { ...environment, ...databaseUrls });
  project.provide('templateUrl', await findTemplate(serverUrl));
  return async () => {
    await dropDatabase(serverUrl, databaseName);
    if (hasMinio) await down(instance, [minio]);
  };
}

/** ASSAY_TEST_STORAGE if it is set, or else S3 for projects whose name starts with `s3`, and Azure for others. */
function chooseStorage(group: string): Storage {
  const { ASSAY_TEST_STORAGE: chosen = group.startsWith('s3') ? 's3' : 'azure' } = process.env;
  const storage = storages.find((name) => name === chosen);
  if (!storage) throw new Error(`ASSAY_TEST_STORAGE must be one of ${storages.join(', ')}`);
  return storage;
}

declare module 'vitest' {
  interface ProvidedContext {
    environment: Record<string, string>;
    templateUrl: string;
  }
}
