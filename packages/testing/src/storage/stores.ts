import { readConfig } from '@assay/server/config/config.ts';
import { storeSettingsOf } from '@assay/server/config/storage.ts';
import { endpointOf, type StoreSettings } from '@assay/server/platform/storage/stores.ts';
import { azureEnvironmentOf, environmentOf, openInstance, s3EnvironmentOf } from '@assay/stack/instance.ts';

/** MinIO is tested only in the nightly run, because it takes ten minutes to build. */
export const hasMinio = process.env.ASSAY_TEST_MINIO === '1';

const testInstance = openInstance('test');

function storeWith(name: string, environment: Record<string, string>, storedStatus: number) {
  const config = readConfig({ ...environmentOf(testInstance), ...environment });
  return { name, environment, settings: storeSettingsOf(config)[0], storedStatus };
}

/**
 * The object stores of the test instance. `environment` are the settings of a service that stores media there;
 * `storedStatus` is the status of a successful PUT.
 */
export const stores = [
  storeWith('Azurite', { OBJECT_STORE: 'azure', ...azureEnvironmentOf(testInstance) }, 201),
  storeWith('versitygw', s3EnvironmentOf(testInstance), 200),
  ...(hasMinio ? [storeWith('MinIO', s3EnvironmentOf(testInstance, 'minio'), 200)] : []),
];

/** The address at which the service reaches the store. */
export function originOf(settings: StoreSettings): string {
  return new URL(endpointOf(settings)).origin;
}

/** Settings with which a service reaches the same store at a different address, such as that of a proxy. */
export function settingsAtOrigin(settings: StoreSettings, origin: string): StoreSettings {
  switch (settings.store) {
    case 'azure':
      return { ...settings, url: settings.url.replace(originOf(settings), origin) };
    case 's3':
      return { ...settings, endpoint: origin };
  }
}
