import type { Config } from '@assay/server/config/config.ts';
import { type StoreKind, stores } from '@assay/server/platform/storage/stores.ts';
import { BlobServiceClient, type ContainerClient, StorageSharedKeyCredential } from '@azure/storage-blob';
import { openBucket } from './s3-container.ts';

type StoreUnderTest = {
  openContainer(config: Config): ContainerClient;
  containerVariable: string;
  /** The status with which it answers a PUT to a presigned URL. */
  storedStatus: number;
};

const storesUnderTest: Record<StoreKind, StoreUnderTest> = {
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

/** The container, accessed directly with the account key. */
export function openContainer(config: Config): ContainerClient {
  return storesUnderTest[config.OBJECT_STORE].openContainer(config);
}

/** The variable with the name of the container or bucket. */
export const containerVariableOf = (kind: StoreKind) => storesUnderTest[kind].containerVariable;

export async function readStored(config: Config, blobPath: string) {
  const blob = openContainer(config).getBlobClient(blobPath);
  const { contentType } = await blob.getProperties();
  return { bytes: await blob.downloadToBuffer(), contentType };
}

/** The status with which storage answers a PUT to a presigned URL. */
export function storedStatus(config: Config): number {
  return storesUnderTest[config.OBJECT_STORE].storedStatus;
}

/** §4.1: to storage itself, without an API key. Resolves with storage's answer, which is a success. */
export async function putBlob(
  uploadUrl: string,
  bytes: Uint8Array | string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const body = bytes as Uint8Array<ArrayBuffer>;
  const answer = await fetch(uploadUrl, {
    method: 'PUT',
    headers: { 'x-ms-blob-type': 'BlockBlob', ...headers },
    body,
  });
  if (!answer.ok) throw new Error(`storage answered ${answer.status} ${await answer.text()}`);
  return answer;
}

/**
 * For tests of what only Azure Blob Storage has: blocks, leases, snapshots, the archive tier. They use Azurite also in a
 * run on S3.
 */
export const onAzure = { OBJECT_STORE: 'azure' };

/** The address at which the service reaches its storage. */
export function storageUrlOf(config: Config): string {
  return config[stores[config.OBJECT_STORE].urls.service];
}

/** Settings with which the service reaches its storage at this address instead, through a proxy. Callers do not. */
export function storageAt(url: string, config: Config): Record<string, string> {
  const { service, callers } = stores[config.OBJECT_STORE].urls;
  return { [service]: url, [callers]: config[callers] || config[service] };
}

/** The headers that an upload URL is returned with. */
export const toHeaders = (list: { name: string; value: string }[]) =>
  new Headers(list.map(({ name, value }) => [name, value] as [string, string]));
