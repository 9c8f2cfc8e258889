import { Refusal } from '@assay/contract/refusals.ts';

/** The blob has changed since its snapshot was opened. */
export class BlobChanged extends Error {
  override readonly name = 'BlobChanged';
}

/** The blob is in an archive tier, from which it cannot be read. */
export class BlobArchived extends Error {
  override readonly name = 'BlobArchived';
}

/** `empty`: a range of an empty blob was requested. `refused`: any other failure that is not an outage. */
export type FailureKind = 'missing' | 'changed' | 'archived' | 'empty' | 'unavailable' | 'refused';

/** A request that a store did not fulfil. The cause is the error from the store's library. */
export class StorageFailure extends Error {
  override readonly name = 'StorageFailure';
  readonly kind: FailureKind;

  constructor(kind: FailureKind, cause: unknown) {
    super(`storage: ${kind}`, { cause });
    this.kind = kind;
  }
}

/** An error that is not a `StorageFailure` comes from a connection that broke while a body was read. */
export function failureKindOf(error: unknown): FailureKind {
  return error instanceof StorageFailure ? error.kind : 'unavailable';
}

export function refuseOutage(error: unknown): never {
  const cause = error instanceof StorageFailure ? error.cause : error;
  switch (failureKindOf(error)) {
    case 'archived':
      throw new BlobArchived('the blob is archived', { cause });
    case 'changed':
      throw new BlobChanged('the blob has changed', { cause });
    case 'unavailable':
      throw new Refusal('storage_unavailable', { internal: 'blobs', cause });
    default:
      throw cause;
  }
}
