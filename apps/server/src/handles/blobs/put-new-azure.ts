import { randomBytes } from 'node:crypto';
import type { BlockBlobClient } from '@azure/storage-blob';
import { isOnePart, type NewBlob } from './backend.ts';

/** Fails with the library's error 409 if there is a blob already. */
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
  // The ids of a blob have the same length, and differ from those of an earlier upload that was interrupted.
  const uploadId = randomBytes(8).toString('hex');
  const blockIds: string[] = [];
  for await (const part of parts) {
    const blockId = Buffer.from(`${uploadId}${String(blockIds.length).padStart(5, '0')}`).toString('base64');
    await blob.stageBlock(blockId, part, part.length, { abortSignal });
    blockIds.push(blockId);
  }
  await blob.commitBlockList(blockIds, options);
}
