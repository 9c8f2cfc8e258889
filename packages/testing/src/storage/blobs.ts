import type { Config } from '@assay/server/config/config.ts';
import { type StoreKind, stores } from '@assay/server/platform/storage/stores.ts';
import { BlobServiceClient, type ContainerClient, StorageSharedKeyCredential } from '@azure/storage-blob';
import { openBucket } from './s3-container.ts';

type StoreAccess = {
  openContainer(config: Config): ContainerClient;
  containerVariable: string;
  /** The status of a successful PUT to a presigned URL. */
  storedStatus: number;
};

const storeAccess: Record<StoreKind, StoreAccess> = {
  azure: {
    openContainer(config) {
      const credential = new StorageSharedKeyCredential(config.BLOB_ACCOUNT, config.BLOB_ACCOUNT_KEY);
      return new BlobServiceClient(config.BLOB_URL, credential).getContainerClient(config.BLOB_CONTAINER);
    },
    containerVariable: 'BLOB_CONTAINER',
    storedStatus: 201,
  },
  s3: { openContainer: openBucket, containerVariable: 'S3_BUCKET', storedStatus: 200 },
};

/** The container or bucket, accessed directly with the keys of the account. */
export function openContainer(config: Config): ContainerClient {
  return storeAccess[config.OBJECT_STORE].openContainer(config);
}

/** The environment variable that names the container or bucket. */
export const containerVariableOf = (kind: StoreKind) => storeAccess[kind].containerVariable;

export async function readStored(config: Config, blobPath: string) {
  const blob = openContainer(config).getBlobClient(blobPath);
  const { contentType } = await blob.getProperties();
  return { bytes: await blob.downloadToBuffer(), contentType };
}

/** The status of a successful PUT to a presigned URL. */
export function storedStatus(config: Config): number {
  return storeAccess[config.OBJECT_STORE].storedStatus;
}

/** §4.1: uploads to storage directly, without an API key. Throws unless storage accepts the upload. */
export async function putBlob(
  uploadUrl: string,
  bytes: Uint8Array | string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const body = bytes as Uint8Array<ArrayBuffer>;
  const response = await fetch(uploadUrl, {
    method: 'PUT',
    headers: { 'x-ms-blob-type': 'BlockBlob', ...headers },
    body,
  });
  if (!response.ok) throw new Error(`storage answered ${response.status} ${await response.text()}`);
  return response;
}

/**
 * For tests of features that only Azure Blob Storage has: blocks, leases, snapshots, the archive tier. These tests use
 * Azurite even in a run on S3.
 */
export const azureSettings = { OBJECT_STORE: 'azure' };

/** The address at which the service reaches its storage. */
export function storageUrlOf(config: Config): string {
  return config[stores[config.OBJECT_STORE].urls.service];
}

/** Settings with which the service, but not its callers, reaches its storage at this address of a proxy. */
export function storageSettingsAt(url: string, config: Config): Record<string, string> {
  const { service, callers } = stores[config.OBJECT_STORE].urls;
  return { [service]: url, [callers]: config[callers] || config[service] };
}

/** The headers of an upload URL, as given in the response with the URL. */
export const toHeaders = (list: { name: string; value: string }[]) =>
  new Headers(list.map(({ name, value }) => [name, value] as [string, string]));
