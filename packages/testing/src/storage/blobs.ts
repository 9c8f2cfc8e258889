import type { Config } from '@assay/server/config/config.ts';
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

type StorageUrls = Pick<Config, 'OBJECT_STORE' | 'BLOB_URL' | 'S3_ENDPOINT' | 'S3_PUBLIC_ENDPOINT'>;

/** The address at which the service reaches its storage. */
export function storageUrlOf({ OBJECT_STORE, BLOB_URL, S3_ENDPOINT }: StorageUrls): string {
  return OBJECT_STORE === 's3' ? S3_ENDPOINT : BLOB_URL;
}

/** Settings with which the service reaches its storage at this address instead, through a proxy. Callers do not. */
export function storageAt(url: string, { OBJECT_STORE, S3_PUBLIC_ENDPOINT }: StorageUrls): Record<string, string> {
  return OBJECT_STORE === 's3' ? { S3_ENDPOINT: url, S3_PUBLIC_ENDPOINT } : { BLOB_URL: url };
}

/** The headers that an upload URL is returned with. */
export const toHeaders = (list: { name: string; value: string }[]) =>
  new Headers(list.map(({ name, value }) => [name, value] as [string, string]));
