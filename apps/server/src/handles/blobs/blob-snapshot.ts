import type { Readable } from 'node:stream';
import type { BlobClient, RestError } from '@azure/storage-blob';
import { refuseOutage } from './blob-failures.ts';

/** The limit on requests for one snapshot is reached. */
export class ReadLimitReached extends Error {
  override readonly name = 'ReadLimitReached';
}

/**
 * A blob in one state. Reads fail with `BlobChanged` once the blob has changed, and with `ReadLimitReached` after a
 * limited number of requests, because the bytes of the file decide which range is read next.
 */
export type BlobSnapshot = {
  etag: string;
  sizeBytes: number;
  read(target: Uint8Array, offset: number): Promise<number>;
};

const readMillisMax = 3000;
const chunkBytes = 64 * 1024;
const readsMax = 16;

// One ranged read returns ETag, size and the first bytes, so no HEAD request is needed.
export async function openSnapshot(blob: BlobClient, signal: AbortSignal): Promise<BlobSnapshot | undefined> {
  const first = await readChunk(blob, 0, signal).catch(unlessEmpty).catch(unlessMissing);
  if (first === undefined) return undefined;
  if (first === 'empty') {
    const { etag = '' } = await blob.getProperties({ abortSignal: within(signal) }).catch(refuseOutage);
    return { etag, sizeBytes: 0, read: async () => 0 };
  }
  const { etag, sizeBytes } = first;
  const chunks = new Map([[0, Promise.resolve(first)]]);
  const chunkAt = (index: number) => {
    if (!chunks.has(index)) {
      if (chunks.size >= readsMax) throw new ReadLimitReached(`more than ${readsMax} reads of one blob`);
      chunks.set(index, readChunk(blob, index, signal, etag));
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

async function readChunk(blob: BlobClient, index: number, signal: AbortSignal, ifMatch?: string): Promise<Chunk> {
  const abortSignal = within(signal);
  const conditions = ifMatch === undefined ? {} : { conditions: { ifMatch } };
  try {
    const answer = await blob.download(index * chunkBytes, chunkBytes, { ...conditions, abortSignal });
    const pieces = await (answer.readableStreamBody as Readable).toArray();
    const sizeBytes = Number(answer.contentRange?.split('/')[1] ?? answer.contentLength);
    return { bytes: Buffer.concat(pieces), etag: answer.etag as string, sizeBytes };
  } catch (error) {
    return refuseOutage(error as RestError);
  }
}

function within(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(readMillisMax)]);
}

function unlessEmpty(error: RestError): 'empty' {
  if (error.statusCode === 416) return 'empty'; // an empty blob has no readable range
  throw error;
}

function unlessMissing(error: RestError): undefined {
  if (error.statusCode !== 404) throw error;
}
