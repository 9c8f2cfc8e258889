import { Outage } from '../outage.ts';

/** The blob has changed since its snapshot was opened. */
export class BlobChanged extends Error {
  override readonly name = 'BlobChanged';
}

/** The blob is in an archive tier, from which it cannot be read. */
export class BlobArchived extends Error {
  override readonly name = 'BlobArchived';
}

/**
 * `empty`: a range of an empty blob was requested. `rejected`: the store does not accept the credentials of the service,
 * or not at this time. `refused`: any other failure that is not an outage.
 */
export type FailureKind = 'missing' | 'changed' | 'archived' | 'empty' | 'unavailable' | 'rejected' | 'refused';

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
  const kind = failureKindOf(error);
  switch (kind) {
    case 'archived':
      throw new BlobArchived('the blob is archived', { cause });
    case 'changed':
      throw new BlobChanged('the blob has changed', { cause });
    case 'unavailable':
    case 'rejected':
      throw new Outage('storage', cause, kind);
    default:
      throw cause;
  }
}

/** Down, too slow, or throttling. */
export const isOutageStatus = (status: number) => status >= 500 || status === 408 || status === 429;
