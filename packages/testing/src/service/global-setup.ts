import { down, partsWith, up } from '@assay/stack/control.ts';
import { environmentOf, type Instance, openInstance, s3EnvironmentOf } from '@assay/stack/instance.ts';
import { minio } from '@assay/stack/parts/minio.ts';
import { versitygw } from '@assay/stack/parts/versitygw.ts';
import type { TestProject } from 'vitest/node';
import { bundleWorkflows } from '../run/bundle-workflows.ts';
import { hasMinio } from '../storage/stores.ts';
import { dropDatabase, findTemplate, makeDatabase } from './make-database.ts';

/** The real parts on separate ports, with a new database for every run, and a template for those of the test files. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const instance = openInstance('test');
  bundleWorkflows();
  // With all stores: some tests compare them.
  await up(instance, [...partsWith('azure'), versitygw, ...(hasMinio ? [minio] : [])]);
  const environment = { ...environmentOf({ ...instance, storage: 'azure' }), ...chosenStorage(instance, project.name) };
  const serverUrl = environment.DATABASE_URL as string;
  // Unique to this run and project: two may run at the same time.
  const databaseName = `assay_test_${project.name}_${process.pid}`;
  const databaseUrl = await makeDatabase(serverUrl, databaseName);
  project.provide('environment', { ...environment, DATABASE_URL: databaseUrl });
  project.provide('templateUrl', await findTemplate(serverUrl));
  return async () => {
    await dropDatabase(serverUrl, databaseName);
    if (hasMinio) await down(instance, [minio]);
  };
}

/** The group `s3` always uses S3. Azure stays configured as the other store. */
function chosenStorage(instance: Instance, group: string): Record<string, string> {
  const { ASSAY_TEST_STORAGE: storage = group.startsWith('s3') ? 's3' : 'azure' } = process.env;
  if (storage !== 'azure' && storage !== 's3') throw new Error('ASSAY_TEST_STORAGE must be azure or s3');
  return storage === 's3' ? s3EnvironmentOf(instance) : {};
}

declare module 'vitest' {
  interface ProvidedContext {
    environment: Record<string, string>;
    templateUrl: string;
  }
}
