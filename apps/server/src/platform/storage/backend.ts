import type { Readable } from 'node:stream';

/** The operations that every store must support. They fail with `StorageFailure`. */
export type Backend = {
  blobAt(container: string, name: string): StoredBlob;
  /** The names of all blobs with this prefix. */
  list(container: string, prefix: string, signal: AbortSignal): AsyncIterable<string>;
  /** Headers that a PUT to a presigned URL needs. */
  putHeaders: Readonly<Record<string, string>>;
  /** Deletes the parts of all unfinished uploads with this prefix, after the blobs with this prefix were deleted. */
  removeUnfinished(container: string, prefix: string, signal: AbortSignal): Promise<void>;
  /** What keeps deleted or overwritten blobs readable, judged by this blob; undefined if a deletion is final. */
  keepsDeleted(container: string, name: string, signal: AbortSignal): Promise<DeletionKeeper | undefined>;
  /** Resolves when the container responds. */
  checkContainer(container: string, signal: AbortSignal): Promise<void>;
  /** The latest time, at most the wanted one, until which a URL that is signed now is valid. */
  latestExpiry(wanted: Date): Promise<Date>;
  /** The source of the credentials; fails when there are none. */
  describeCredentials(): Promise<string>;
};

export type DeletionKeeper = 'versioning' | 'soft delete';

/** `fileBytes` is null without a file. The others are of parts that are not joined, and of snapshots. */
export type StoredBytes = { fileBytes: number | null; otherBytes: number };

export type StoredBlob = {
  readRange(range: BlobRange, signal: AbortSignal): Promise<RangeResponse>;
  head(signal: AbortSignal): Promise<{ etag: string; sizeBytes: number } | undefined>;
  /** Everything that is stored under this name, whatever its kind, with the parts of the given unfinished upload. */
  measure(uploadId: string | null, signal: AbortSignal): Promise<StoredBytes>;
  put(content: () => Readable, sizeBytes: number, contentType: string, watch: PutWatch): Promise<void>;
  /** Writes a blob of any size unless it already exists; returns whether it was written. */
  putNew(content: NewBlob, signal: AbortSignal): Promise<boolean>;
  /** Deletes the blob if it exists, with everything that a presigned URL lets callers attach to it. */
  remove(signal: AbortSignal): Promise<void>;
  /** A URL that permits creating and writing only this blob until it expires; see `Blobs`. */
  signPut(expiresAt: Date, sizeBytes?: number): Promise<string>;
  parts: StoredParts;
};

/** Uploads of one blob in parts. Each has an id; several may be unfinished, and each part belongs to one of them. */
export type StoredParts = {
  /** Begins an upload. */
  open(contentType: string, signal: AbortSignal): Promise<string>;
  /** Returns a function that signs URLs. Each permits writing only this part until it expires. */
  openSigner(uploadId: string, expiresAt: Date): Promise<(partNumber: number) => string | Promise<string>>;
  /** The stored parts in order; undefined if the upload has ended. */
  list(uploadId: string, signal: AbortSignal): Promise<StoredPart[] | undefined>;
  /**
   * Joins these parts to the blob. Fails as `changed` if a part or the blob has changed meanwhile. If the upload has
   * ended, it fails as `missing`, or does nothing.
   */
  complete(uploadId: string, parts: StoredPart[], contentType: string, signal: AbortSignal): Promise<void>;
  /** Deletes the parts, unless the store does so by itself. */
  abort(uploadId: string, signal: AbortSignal): Promise<void>;
};

/** Parts are numbered from 1. */
export type StoredPart = { partNumber: number; sizeBytes: number; etag?: string | undefined };

/** Some servers copy the parts before they answer. Longer than a caller waits: see `completeUploadParts`. */
export const completeMillisMax = 300_000;

/** The content in parts of `partBytes`, of which the last may be smaller. */
export type NewBlob = { parts: AsyncIterable<Buffer>; sizeBytes: number; contentType: string };

/** Azure ends a request that takes longer than 30 s, and S3 accepts no parts below 5 MiB. */
export const partBytes = 16 * 1024 * 1024;
export const isOnePart = ({ sizeBytes }: NewBlob) => sizeBytes <= partBytes;

export type BlobRange = { offset: number; length: number; ifMatch?: string | undefined };

/** `sizeBytes` is the size of the whole blob. */
export type RangeResponse = { etag: string; sizeBytes: number; body: Readable };

/** `moved` is called with the number of bytes sent so far, which begins at 0 again in a retry. */
export type PutWatch = { signal: AbortSignal; moved(sentBytes: number): void };

type RangeHeaders = { etag: string; contentRange: string | undefined; contentLength: number | undefined };

/** Takes the size of the whole blob from the headers of the response to a ranged read. */
export function toRangeResponse(body: Readable, headers: RangeHeaders, { offset, length }: BlobRange): RangeResponse {
  // Without a listener, an error before the body is read would end the process. A later reader still gets the error.
  body.on('error', () => {});
  const { etag, contentRange, contentLength } = headers;
  const [, first, size] = /^bytes (\d+)-\d+\/(\d+)$/.exec(contentRange ?? '') ?? [];
  if (size !== undefined && Number(first) === offset) return { etag, sizeBytes: Number(size), body };
  // A store may respond with the whole blob if the range contains all of it.
  const isWhole = contentRange === undefined && offset === 0 && contentLength !== undefined && contentLength <= length;
  if (isWhole) return { etag, sizeBytes: contentLength, body };
  body.destroy();
  throw new Error(`storage did not respond with the range from byte ${offset}: ${contentRange}`);
}
