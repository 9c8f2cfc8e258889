import type { TestProject } from 'vitest/node';
import { down, knownParts, up } from '../../stack/control.ts';
import { environmentOf, type Instance, openInstance, s3EnvironmentOf } from '../../stack/instance.ts';
import { minio } from '../../stack/parts/minio.ts';
import { bundleWorkflows } from './bundle-workflows.ts';
import { copyDatabase, dropDatabase, makeDatabase } from './make-database.ts';
import { hasMinio } from './stores.ts';

/** The real parts on separate ports, with a new database for every run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const instance = openInstance('test');
  bundleWorkflows();
  await up(instance, [...knownParts, ...(hasMinio ? [minio] : [])]); // with all stores: some tests compare them
  const environment = { ...environmentOf({ ...instance, storage: 'azure' }), ...chosenStorage(instance, project.name) };
  const serverUrl = environment.DATABASE_URL as string;
  // Unique to this run and tier: two may run at the same time.
  const databaseName = `assay_test_${project.name}_${process.pid}`;
  const templateName = `${databaseName}_template`;
  const databaseUrl = await makeDatabase(serverUrl, databaseName);
  const templateUrl = await copyDatabase(databaseUrl, templateName);
  project.provide('environment', { ...environment, DATABASE_URL: databaseUrl });
  project.provide('templateUrl', templateUrl);
  return async () => {
    await dropDatabase(serverUrl, databaseName);
    await dropDatabase(serverUrl, templateName);
    if (hasMinio) await down(instance, [minio]);
  };
}

/** The tier `s3` always uses S3. Azure stays configured as the other store. */
function chosenStorage(instance: Instance, tier: string): Record<string, string> {
  const { ASSAY_TEST_STORAGE: storage = tier === 's3' ? 's3' : 'azure' } = process.env;
  if (storage !== 'azure' && storage !== 's3') throw new Error('ASSAY_TEST_STORAGE must be azure or s3');
  return storage === 's3' ? s3EnvironmentOf(instance) : {};
}

declare module 'vitest' {
  interface ProvidedContext {
    environment: Record<string, string>;
    templateUrl: string;
  }
}
