import type { ContainerClient, RestError } from '@azure/storage-blob';
import type { StoredBytes } from '../backend.ts';

/**
 * An upload URL permits more than one file: page and append blobs, blocks that are never joined, and snapshots, each of
 * which keeps the bytes that it was taken of.
 */
export async function measureAzure(
  container: ContainerClient,
  name: string,
  abortSignal: AbortSignal,
): Promise<StoredBytes> {
  const stored: StoredBytes = { fileBytes: null, otherBytes: 0 };
  let hasBlob = false;
  const options = { prefix: name, includeSnapshots: true, includeUncommitedBlobs: true, abortSignal };
  for await (const { snapshot, properties } of container.listBlobsFlat(options)) {
    const { contentLength = 0, blobType } = properties;
    hasBlob = true;
    if (!snapshot && blobType === 'BlockBlob') stored.fileBytes = contentLength;
    else stored.otherBytes += contentLength;
  }
  if (!hasBlob) return stored;
  const blockBytes = await sumBlocks(container, name, abortSignal);
  // Blocks that were never joined are listed as an empty blob.
  const fileBytes = blockBytes > 0 && stored.fileBytes === 0 ? null : stored.fileBytes;
  return { fileBytes, otherBytes: stored.otherBytes + blockBytes };
}

async function sumBlocks(container: ContainerClient, name: string, abortSignal: AbortSignal): Promise<number> {
  const blob = container.getBlockBlobClient(name);
  const blocks = await blob.getBlockList('uncommitted', { abortSignal }).catch((error: RestError) => {
    // Only block blobs have blocks. If the blob was deleted meanwhile, it has none left.
    if (error.code === 'InvalidBlobType' || error.code === 'BlobNotFound') return undefined;
    throw error;
  });
  return (blocks?.uncommittedBlocks ?? []).reduce((sum, { size }) => sum + size, 0);
}
