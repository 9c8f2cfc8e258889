import { setImmediate as nextTurn } from 'node:timers/promises';
import { completeMillisMax, type StoredBlob, type StoredPart } from './backend.ts';
import { failureKindOf, refuseOutage } from './blob-failures.ts';

/** Uploads of one blob in parts. */
export type PartUploads = {
  open(contentType: string): Promise<string>;
  /** One URL for each part, in order. */
  sign(uploadId: string, partCount: number, expiresAt: Date): Promise<string[]>;
  /** The stored parts in order; undefined if the upload has ended. */
  list(uploadId: string): Promise<StoredPart[] | undefined>;
  /**
   * Joins these parts to the blob. Returns false if the upload has ended or a part has changed: the caller then lists
   * the parts again. If another request is joining them, some servers respond at once, before there is a blob.
   */
  complete(uploadId: string, parts: StoredPart[], contentType: string): Promise<boolean>;
  abort(uploadId: string): Promise<void>;
  /** Size of the whole blob; undefined if there is none. */
  storedBytes(): Promise<number | undefined>;
};

const requestMillisMax = 10_000;
/** Other requests are answered after this many URLs. */
const signedAtOnceMax = 16;

export function openPartUploads(blob: StoredBlob): PartUploads {
  const limit = () => AbortSignal.timeout(requestMillisMax);
  return {
    open: (contentType) => blob.parts.open(contentType, limit()).catch(refuseOutage),
    async sign(uploadId, partCount, expiresAt) {
      const urls: string[] = [];
      const signPart = await blob.parts.openSigner(uploadId, expiresAt).catch(refuseOutage);
      while (urls.length < partCount) {
        urls.push(await signPart(urls.length + 1));
        if (urls.length % signedAtOnceMax === 0) await nextTurn();
      }
      return urls;
    },
    list: (uploadId) => blob.parts.list(uploadId, limit()).catch(refuseOutage),
    async complete(uploadId, parts, contentType) {
      try {
        await blob.parts.complete(uploadId, parts, contentType, AbortSignal.timeout(completeMillisMax));
        return true;
      } catch (error) {
        const kind = failureKindOf(error);
        return kind === 'missing' || kind === 'changed' ? false : refuseOutage(error);
      }
    },
    abort: (uploadId) => blob.parts.abort(uploadId, limit()).catch(refuseOutage),
    storedBytes: async () => (await blob.head(limit()).catch(refuseOutage))?.sizeBytes,
  };
}
