import { Refusal } from '@assay/contract/refusals.ts';
import type { RestError } from '@azure/storage-blob';

/** The blob is no longer what it was when it was looked at. */
export class BlobChanged extends Error {
  override readonly name = 'BlobChanged';
}

/** The blob is in a tier of the storage from which nothing can be read. */
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
  if (error.statusCode === 412) throw new BlobChanged('the blob is in another state', { cause: error });
  // A container that is gone, or not ours any more, says nothing about what was in it.
  const isOutage = error.statusCode === undefined || error.statusCode >= 500 || isContainerGone(error);
  if (isOutage) throw new Refusal('storage_unavailable', { internal: 'blobs', cause: error });
  throw error;
}
