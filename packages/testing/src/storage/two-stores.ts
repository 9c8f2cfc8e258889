import { randomUUID } from 'node:crypto';
import { readConfig } from '@assay/server/config/config.ts';
import { storeVariables } from '@assay/server/platform/storage/stores.ts';
import { environmentOf, openInstance } from '@assay/stack/instance.ts';
import { afterAll } from 'vitest';
import { containerVariableOf, openContainer } from './blobs.ts';

const deleteMillisMax = 600_000; // a bucket is deleted after its objects, which takes time

/** Settings with both stores, each with a new container that is deleted after the tests of the file. */
export async function openTwoStores() {
  const container = `two-${randomUUID()}`;
  const instance = openInstance('test');
  const environments = (['azure', 's3'] as const).map((storage) => ({
    ...environmentOf({ ...instance, storage }),
    [containerVariableOf(storage)]: container,
  }));
  const containers = environments.map((environment) => openContainer(readConfig(environment)));
  await Promise.all(containers.map((one) => one.create()));
  afterAll(() => Promise.all(containers.map((one) => one.deleteIfExists())), deleteMillisMax);
  const [azure, s3] = containers as [(typeof containers)[number], (typeof containers)[number]];
  const both = Object.assign({}, ...environments) as Record<string, string>;
  const settings = Object.fromEntries(Object.entries(both).filter(([name]) => name in storeVariables));
  return { azure, s3, settings };
}

export async function listBlobNames(container: ReturnType<typeof openContainer>, prefix = ''): Promise<string[]> {
  const found: string[] = [];
  for await (const { name } of container.listBlobsFlat({ prefix })) found.push(name);
  return found;
}
