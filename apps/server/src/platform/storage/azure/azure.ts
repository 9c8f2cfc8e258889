import type { Readable } from 'node:stream';
import {
  type BlobClient,
  BlobSASPermissions,
  BlobServiceClient,
  type BlockBlobClient,
  type RestError,
  SASProtocol,
} from '@azure/storage-blob';
import { type Backend, type StoredBlob, toRangeResponse } from '../backend.ts';
import { type FailureKind, isOutageStatus, StorageFailure } from '../blob-failures.ts';
import { type AzureSigner, openAzureCredential } from './azure-credential.ts';
import { createAzureParts, signBlock } from './azure-parts.ts';
import { measureAzure } from './measure-azure.ts';
import { putNewAzure } from './put-new-azure.ts';
import type { AzureSettings } from './settings.ts';

const archivedCodes = ['BlobArchived', 'BlobBeingRehydrated'];
// If the container is missing, its blobs are not reported as deleted.
const containerGoneCodes = ['ContainerNotFound', 'ContainerBeingDeleted'];
// The status of these errors comes from the identity service, not from storage.
const identityErrors = ['AuthenticationError', 'AggregateAuthenticationError', 'CredentialUnavailableError'];

/** Azure Blob Storage. */
export async function openAzure(settings: AzureSettings): Promise<Backend> {
  const credential = await openAzureCredential(settings);
  const service = new BlobServiceClient(settings.url, credential.forClient, {
    retryOptions: { maxTries: 2, retryDelayInMs: 100, tryTimeoutInMs: 30_000 },
  });
  const containerOf = (name: string) => service.getContainerClient(name);
  const signer = credential.openSigner(service);
  const sign = createSign(settings.publicUrl, signer);

  return {
    blobAt: (container, name) => {
      const client = containerOf(container).getBlockBlobClient(name);
      const blob = openBlob(client);
      const etagOf = async (signal: AbortSignal) => (await blob.head(signal))?.etag;
      const signPut = (expiresAt: Date) => sign(container, name, expiresAt);
      const openSigner = async (uploadId: string, expiresAt: Date) => {
        const blobUrl = await signPut(expiresAt);
        return (partNumber: number) => signBlock(blobUrl, uploadId, partNumber);
      };
      return {
        ...blob,
        // Blocks of any upload count, so the id of one is not needed.
        measure: (_, signal) => measureAzure(containerOf(container), name, signal).catch(throwStorageFailure),
        signPut,
        parts: { ...createAzureParts(client, etagOf, throwStorageFailure), openSigner },
      };
    },
    putHeaders: { 'x-ms-blob-type': 'BlockBlob' },
    async *list(container, prefix, abortSignal) {
      try {
        for await (const { name } of containerOf(container).listBlobsFlat({ prefix, abortSignal })) yield name;
      } catch (error) {
        throwStorageFailure(error);
      }
    },
    async removeUnfinished(container, prefix, abortSignal) {
      const options = { prefix, includeUncommitedBlobs: true, abortSignal };
      try {
        for await (const { name } of containerOf(container).listBlobsFlat(options)) {
          const blob = containerOf(container).getBlockBlobClient(name);
          // An uncommitted blob cannot be deleted. Committing an empty block list discards its uploaded blocks.
          await withoutLease(blob, abortSignal, () => blob.commitBlockList([], { abortSignal }));
          await removeBlob(blob, abortSignal);
        }
      } catch (error) {
        throwStorageFailure(error);
      }
    },
    async keepsDeleted(container, name, abortSignal) {
      const blob = containerOf(container).getBlockBlobClient(name);
      const { versionId } = await blob.getProperties({ abortSignal }).catch(throwStorageFailure);
      if (versionId !== undefined) return 'versioning';
      const { deleteRetentionPolicy } = await service.getProperties({ abortSignal }).catch(throwStorageFailure);
      return deleteRetentionPolicy?.enabled ? 'soft delete' : undefined;
    },
    async checkContainer(container, abortSignal) {
      await containerOf(container).getProperties({ abortSignal }).catch(throwStorageFailure);
    },
    latestExpiry: (wanted) => signer.latestExpiry(wanted).catch(throwStorageFailure),
    describeCredentials: () => credential.describe(),
  };
}

function createSign(publicUrl: string, signer: AzureSigner) {
  const protocol = publicUrl.startsWith('https:') ? SASProtocol.Https : SASProtocol.HttpsAndHttp;
  const permissions = BlobSASPermissions.parse('cw');
  return async (containerName: string, blobName: string, expiresOn: Date) => {
    // No start time: if our clock is ahead, storage would refuse the URL at first.
    const signature = await signer
      .sign({ containerName, blobName, permissions, expiresOn, protocol })
      .catch(throwStorageFailure);
    return `${publicUrl}/${containerName}/${blobName.split('/').map(encodeURIComponent).join('/')}?${signature}`;
  };
}

function openBlob(blob: BlockBlobClient): Omit<StoredBlob, 'signPut' | 'parts' | 'measure'> {
  return {
    async readRange(range, abortSignal) {
      const { offset, length, ifMatch } = range;
      const conditions = ifMatch === undefined ? {} : { conditions: { ifMatch } };
      const response = await blob
        .download(offset, length, {
          ...conditions,
          abortSignal,
          maxRetryRequests: 0, // the SDK's retry gives up when the connection breaks
        })
        .catch(throwStorageFailure);
      const { etag = '', contentRange, contentLength, readableStreamBody, blobType } = response;
      if (blobType !== 'BlockBlob') {
        (readableStreamBody as Readable).on('error', () => {}).destroy();
        throw notUploaded(blobType);
      }
      return toRangeResponse(readableStreamBody as Readable, { etag, contentRange, contentLength }, range);
    },
    async head(abortSignal) {
      try {
        const { etag = '', contentLength = 0, blobType } = await blob.getProperties({ abortSignal });
        return blobType === 'BlockBlob' ? { etag, sizeBytes: contentLength } : undefined;
      } catch (error) {
        return kindOf(error as RestError) === 'missing' ? undefined : throwStorageFailure(error);
      }
    },
    async put(content, sizeBytes, contentType, { signal, moved }) {
      await blob
        .upload(content, sizeBytes, {
          blobHTTPHeaders: { blobContentType: contentType },
          abortSignal: signal,
          onProgress: ({ loadedBytes }) => moved(loadedBytes),
        })
        .catch(throwStorageFailure);
    },
    async putNew(content, signal) {
      try {
        await putNewAzure(blob, content, signal);
        return true;
      } catch (error) {
        return (error as RestError).code === 'BlobAlreadyExists' ? false : throwStorageFailure(error);
      }
    },
    remove: (signal) => removeBlob(blob, signal).catch(throwStorageFailure),
  };
}

async function removeBlob(blob: BlobClient, abortSignal: AbortSignal): Promise<void> {
  await withoutLease(blob, abortSignal, () => blob.deleteIfExists({ deleteSnapshots: 'include', abortSignal }));
}

/**
 * An upload URL also permits creating a page or append blob: a single small request then makes a blob of any size. Such a
 * blob counts as not uploaded.
 */
const notUploaded = (blobType: string | undefined) =>
  new StorageFailure('missing', new Error(`the blob is a ${blobType}, not a BlockBlob`));

/** Breaks a lease: a caller who can write a blob can also lease it, which would prevent its deletion. */
async function withoutLease(blob: BlobClient, abortSignal: AbortSignal, act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if ((error as RestError).code !== 'LeaseIdMissing') throw error;
    await blob.getBlobLeaseClient().breakLease(0, { abortSignal });
    await act();
  }
}

function throwStorageFailure(error: unknown): never {
  throw error instanceof StorageFailure ? error : new StorageFailure(kindOf(error as RestError), error);
}

function kindOf({ name, statusCode, code = '' }: RestError): FailureKind {
  if (identityErrors.includes(name)) return 'unavailable';
  if (archivedCodes.includes(code)) return 'archived';
  if (statusCode === 412) return 'changed';
  if (statusCode === undefined || isOutageStatus(statusCode) || containerGoneCodes.includes(code)) return 'unavailable';
  if (statusCode === 401 || statusCode === 403 || code === 'InvalidAuthenticationInfo') return 'rejected';
  if (statusCode === 404) return 'missing';
  return statusCode === 416 ? 'empty' : 'refused';
}
