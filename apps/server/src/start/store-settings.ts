import type { StorageConfig } from '#config/storage.ts';
import type { AzureSettings, S3Settings, StoreSettings } from '#platform/storage/settings.ts';

/** The settings of the stores, the one for new media first. */
export function storeSettingsOf(config: StorageConfig): [StoreSettings, ...StoreSettings[]] {
  const azure: AzureSettings = {
    url: config.BLOB_URL,
    publicUrl: config.BLOB_PUBLIC_URL,
    account: config.BLOB_ACCOUNT,
    accountKey: config.BLOB_ACCOUNT_KEY || undefined,
    container: config.BLOB_CONTAINER,
  };
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  const s3: S3Settings = {
    region: config.S3_REGION,
    bucket: config.S3_BUCKET,
    endpoint: config.S3_ENDPOINT || undefined,
    publicEndpoint: config.S3_PUBLIC_ENDPOINT || undefined,
    isPathStyle: config.S3_FORCE_PATH_STYLE,
    credentials: accessKeyId ? { accessKeyId, secretAccessKey } : undefined,
  };
  if (config.OBJECT_STORE === 's3') return config.BLOB_URL ? [s3, azure] : [s3];
  return config.S3_BUCKET ? [azure, s3] : [azure];
}
