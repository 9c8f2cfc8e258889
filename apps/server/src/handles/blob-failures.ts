import { Refusal } from '@assay/contract/refusals.ts';
import type { RestError } from '@azure/storage-blob';

/** The blob is no longer what it was when it was looked at. */
export class BlobChanged extends Error {
  override readonly name = 'BlobChanged';
}

export function refuseOutage(error: RestError): never {
  if (error.statusCode === 412) throw new BlobChanged('the blob is in another state', { cause: error });
  const isOutage = error.statusCode === undefined || error.statusCode >= 500;
  if (isOutage) throw new Refusal('storage_unavailable', { internal: 'blobs', cause: error });
  throw error;
}
