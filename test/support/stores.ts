import { readConfig } from '@assay/server/config.ts';
import { isS3, type StoreSettings } from '@assay/server/handles/blobs/settings.ts';
import { storeSettingsOf } from '@assay/server/store-settings.ts';
import { environmentOf, openInstance, type Storage } from '../../stack/instance.ts';

const environmentWith = (storage: Storage) => ({
  ...environmentOf({ ...openInstance('test'), storage }),
  OBJECT_STORE: storage,
});
const settingsWith = (storage: Storage) => storeSettingsOf(readConfig(environmentWith(storage)))[0];

/** The variables of a service that stores new media there, whatever the tests use otherwise. */
export function storageEnvironment(storage: Storage): Record<string, string> {
  const isAboutStorage = ([name]: [string, string]) => /^(OBJECT_STORE$|BLOB_|S3_)/.test(name);
  return Object.fromEntries(Object.entries(environmentWith(storage)).filter(isAboutStorage));
}

/** Both stores of the test instance. `storedStatus` is the status with which a PUT is answered. */
export const stores = [
  { name: 'Azurite', settings: settingsWith('azure'), storedStatus: 201 },
  { name: 'versitygw', settings: settingsWith('s3'), storedStatus: 200 },
];

/** The address at which the service reaches the store. */
export function originOf(settings: StoreSettings): string {
  return new URL((isS3(settings) ? settings.endpoint : settings.url) as string).origin;
}

/** The same store, reached through a proxy. */
export function atOrigin(settings: StoreSettings, origin: string): StoreSettings {
  if (isS3(settings)) return { ...settings, endpoint: origin };
  return { ...settings, url: settings.url.replace(originOf(settings), origin) };
}
