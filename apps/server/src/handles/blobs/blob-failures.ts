import { Refusal } from '@assay/contract/refusals.ts';
import type { RestError } from '@azure/storage-blob';

/** The blob has changed since its snapshot was opened. */
export class BlobChanged extends Error {
  override readonly name = 'BlobChanged';
}

/** The blob is in an archive tier, from which it cannot be read. */
export class BlobArchived extends Error {
  override readonly name = 'BlobArchived';
}

const archivedCodes = ['BlobArchived', 'BlobBeingRehydrated'];

export function isContainerGone({ code }: RestError): boolean {
  return code === 'ContainerNotFound' || code === 'ContainerBeingDeleted';
}

export function refuseOutage(error: RestError): never {
  if (error.code && archivedCodes.includes(error.code))
    throw new BlobArchived('the blob is archived', { cause: error });
  if (error.statusCode === 412) throw new BlobChanged('the blob has changed', { cause: error });
  // A missing or foreign container says nothing about the blobs that were in it.
  const isOutage = error.statusCode === undefined || error.statusCode >= 500 || isContainerGone(error);
  if (isOutage) throw new Refusal('storage_unavailable', { internal: 'blobs', cause: error });
  throw error;
}
