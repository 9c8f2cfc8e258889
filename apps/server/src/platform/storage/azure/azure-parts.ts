import { randomBytes } from 'node:crypto';
import type { BlockBlobClient, RestError } from '@azure/storage-blob';
import type { StoredPart, StoredParts } from '../backend.ts';
import { StorageFailure } from '../blob-failures.ts';

/** Unique, so that an upload does not use the blocks of an earlier one that was interrupted. */
export const newUploadId = () => randomBytes(8).toString('hex');

/** Azure has no multipart uploads, only blocks of a blob. So the id of each block begins with the id of its upload. */
export const blockIdOf = (uploadId: string, partNumber: number) =>
  // All block ids of a blob must have the same length.
  Buffer.from(`${uploadId}-${String(partNumber).padStart(5, '0')}`).toString('base64');

function partNumberOf(uploadId: string, blockId: string): number | undefined {
  const [, id, partNumber] = /^(.+)-(\d+)$/.exec(Buffer.from(blockId, 'base64').toString()) ?? [];
  return id === uploadId ? Number(partNumber) : undefined;
}

/** The URL of one block, from the URL of the blob. The signature does not cover the block. */
export function signBlock(blobUrl: string, uploadId: string, partNumber: number): string {
  return `${blobUrl}&comp=block&blockid=${encodeURIComponent(blockIdOf(uploadId, partNumber))}`;
}

/** The blob does not exist, or is a page or append blob. */
const withoutBlocksCodes = ['BlobNotFound', 'InvalidBlobType'];

/** Azure returns these instead of 412 if the blob was created meanwhile, or if a plain PUT discarded the blocks. */
const changedCodes = ['BlobAlreadyExists', 'InvalidBlockList'];

/** `etagOf` returns the ETag of the blob; undefined if there is none. */
export function createAzureParts(
  blob: BlockBlobClient,
  etagOf: (signal: AbortSignal) => Promise<string | undefined>,
  fail: (error: unknown) => never,
): Omit<StoredParts, 'openSigner'> {
  /** The uploaded parts; undefined if they have already become the blob. */
  async function list(uploadId: string, abortSignal: AbortSignal): Promise<StoredPart[] | undefined> {
    const blocks = await blob.getBlockList('all', { abortSignal }).catch((error: RestError) => {
      return withoutBlocksCodes.includes(error.code ?? '') ? undefined : fail(error);
    });
    const { committedBlocks = [], uncommittedBlocks = [] } = blocks ?? {};
    if (committedBlocks.some(({ name }) => partNumberOf(uploadId, name) !== undefined)) return undefined;
    const parts = uncommittedBlocks.flatMap(({ name, size }): StoredPart[] => {
      const partNumber = partNumberOf(uploadId, name);
      return partNumber === undefined ? [] : [{ partNumber, sizeBytes: size }];
    });
    return parts.sort((a, b) => a.partNumber - b.partNumber);
  }

  return {
    open: async () => newUploadId(),
    list,
    async complete(uploadId, parts, contentType, abortSignal) {
      // Concurrent requests must not write the blob twice, because a submission may have pinned its ETag in between.
      const etag = await etagOf(abortSignal);
      if (!(await list(uploadId, abortSignal))) throw new StorageFailure('missing', new Error('already completed'));
      const blockIds = parts.map(({ partNumber }) => blockIdOf(uploadId, partNumber));
      await blob
        .commitBlockList(blockIds, {
          blobHTTPHeaders: { blobContentType: contentType },
          conditions: etag ? { ifMatch: etag } : { ifNoneMatch: '*' },
          abortSignal,
        })
        .catch((error: RestError) =>
          fail(changedCodes.includes(error.code ?? '') ? new StorageFailure('changed', error) : error),
        );
    },
    // Azure deletes blocks that are not committed after a week; `removeUnfinished` deletes them with the blob.
    abort: async () => {},
  };
}
