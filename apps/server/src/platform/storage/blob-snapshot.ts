import type { StoredBlob } from './backend.ts';
import { BlobChanged, failureKindOf, refuseOutage, StorageFailure } from './blob-failures.ts';

/** The limit on read requests for one snapshot is reached. */
export class ReadLimitReached extends Error {
  override readonly name = 'ReadLimitReached';
}

/**
 * One version of a blob. Reads fail with `BlobChanged` once the blob has changed, and with `ReadLimitReached` after a
 * limited number of requests, because the bytes of the file decide which range is read next.
 */
export type BlobSnapshot = {
  etag: string;
  sizeBytes: number;
  read(target: Uint8Array, offset: number): Promise<number>;
};

const readMillisMax = 3000;
/** The first bytes are read when a snapshot is opened; reading them again needs no request. */
export const chunkBytes = 64 * 1024;
const readsMax = 16;
const triesMax = 2;

// One ranged read returns ETag, size and the first bytes, so no HEAD request is needed.
export async function openSnapshot(blob: StoredBlob, signal: AbortSignal): Promise<BlobSnapshot | undefined> {
  const first = await readChunk(blob, 0, signal).catch(unlessMissingOrEmpty);
  if (first === 'missing') return undefined;
  if (first === 'empty') return openEmpty(blob, signal);
  const { etag, sizeBytes } = first;
  const chunks = new Map([[0, Promise.resolve(first)]]);
  const chunkAt = (index: number) => {
    if (!chunks.has(index)) {
      if (chunks.size >= readsMax) throw new ReadLimitReached(`more than ${readsMax} reads of one blob`);
      chunks.set(index, readChunk(blob, index, signal, etag).catch(refuseOutage));
    }
    return chunks.get(index) as Promise<Chunk>;
  };
  return {
    etag,
    sizeBytes,
    async read(target, offset) {
      let filled = 0;
      while (filled < target.length && offset + filled < sizeBytes) {
        const position = offset + filled;
        const { bytes } = await chunkAt(Math.floor(position / chunkBytes));
        const piece = bytes.subarray(position % chunkBytes, (position % chunkBytes) + target.length - filled);
        target.set(piece, filled);
        filled += piece.length;
      }
      return filled;
    },
  };
}

type Chunk = { bytes: Buffer; etag: string; sizeBytes: number };

async function readChunk(blob: StoredBlob, index: number, signal: AbortSignal, ifMatch?: string): Promise<Chunk> {
  const limit = withReadTimeout(signal);
  const range = { offset: index * chunkBytes, length: chunkBytes, ifMatch };
  for (let tries = 1; ; tries++) {
    try {
      const { etag, sizeBytes, body } = await blob.readRange(range, limit);
      return { bytes: Buffer.concat(await body.toArray()), etag, sizeBytes };
    } catch (error) {
      // Backends repeat requests that fail, but not those whose connection breaks while the body is read.
      const isBroken = !(error instanceof StorageFailure) && !limit.aborted;
      if (!isBroken || tries === triesMax) throw error;
    }
  }
}

async function openEmpty(blob: StoredBlob, signal: AbortSignal): Promise<BlobSnapshot | undefined> {
  const head = await blob.head(withReadTimeout(signal)).catch(refuseOutage);
  if (head && head.sizeBytes > 0) throw new BlobChanged('the blob was empty and no longer is');
  return head && { etag: head.etag, sizeBytes: 0, read: async () => 0 };
}

function withReadTimeout(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(readMillisMax)]);
}

function unlessMissingOrEmpty(error: unknown): 'missing' | 'empty' {
  const kind = failureKindOf(error);
  return kind === 'missing' || kind === 'empty' ? kind : refuseOutage(error);
}
