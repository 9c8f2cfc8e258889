import type { Config } from '@assay/server/config.ts';
import { BlobServiceClient, StorageSharedKeyCredential } from '@azure/storage-blob';

/** The container, accessed directly with the account key. */
export function openContainer(config: Config) {
  const credential = new StorageSharedKeyCredential(config.BLOB_ACCOUNT, config.BLOB_ACCOUNT_KEY);
  return new BlobServiceClient(config.BLOB_URL, credential).getContainerClient(config.BLOB_CONTAINER);
}

export async function readStored(config: Config, blobPath: string) {
  const blob = openContainer(config).getBlobClient(blobPath);
  const { contentType } = await blob.getProperties();
  return { bytes: await blob.downloadToBuffer(), contentType };
}
