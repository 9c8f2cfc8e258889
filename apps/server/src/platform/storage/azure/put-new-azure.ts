import type { BlockBlobClient } from '@azure/storage-blob';
import { isOnePart, type NewBlob } from '../backend.ts';
import { blockIdOf, newUploadId } from './azure-parts.ts';

/** Fails with the library's 409 error if the blob already exists. */
export async function putNewAzure(blob: BlockBlobClient, content: NewBlob, abortSignal: AbortSignal): Promise<void> {
  const { parts, sizeBytes, contentType } = content;
  const options = {
    conditions: { ifNoneMatch: '*' },
    blobHTTPHeaders: { blobContentType: contentType },
    abortSignal,
  };
  if (isOnePart(content)) {
    await blob.upload(Buffer.concat(await Array.fromAsync(parts)), sizeBytes, options);
    return;
  }
  const uploadId = newUploadId();
  const blockIds: string[] = [];
  for await (const part of parts) {
    const blockId = blockIdOf(uploadId, blockIds.length + 1);
    await blob.stageBlock(blockId, part, part.length, { abortSignal });
    blockIds.push(blockId);
  }
  await blob.commitBlockList(blockIds, options);
}
