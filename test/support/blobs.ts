import type { Config } from '@assay/server/config.ts';
import { BlobServiceClient, type ContainerClient, StorageSharedKeyCredential } from '@azure/storage-blob';
import { openBucket } from './s3-container.ts';

/** The container, accessed directly with the account key. */
export function openContainer(config: Config): ContainerClient {
  if (config.OBJECT_STORE === 's3') return openBucket(config);
  const credential = new StorageSharedKeyCredential(config.BLOB_ACCOUNT, config.BLOB_ACCOUNT_KEY);
  return new BlobServiceClient(config.BLOB_URL, credential).getContainerClient(config.BLOB_CONTAINER);
}

export async function readStored(config: Config, blobPath: string) {
  const blob = openContainer(config).getBlobClient(blobPath);
  const { contentType } = await blob.getProperties();
  return { bytes: await blob.downloadToBuffer(), contentType };
}

/** The status with which storage answers a PUT to a presigned URL. */
export function storedStatus(config: Config): number {
  return config.OBJECT_STORE === 's3' ? 200 : 201;
}
