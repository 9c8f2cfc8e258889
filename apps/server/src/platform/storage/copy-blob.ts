import { createHash, type Hash } from 'node:crypto';
import { partBytes, type StoredBlob } from './backend.ts';
import { downloadBlob } from './blob-download.ts';
import { BlobChanged, refuseOutage } from './blob-failures.ts';
import { type BlobSnapshot, chunkBytes, openSnapshot } from './blob-snapshot.ts';

type Content = Iterable<Buffer> | AsyncIterable<Buffer>;

const triesMax = 2;

/** `etag` is the ETag of the source when it was copied; `copyEtag` is that of the copy. */
export type CopiedBlob = { etag: string; copyEtag: string; sizeBytes: number };

/**
 * Copies a blob, and reads the copy back to compare its SHA-256. Undefined when there is no blob at the source. A copy
 * that a killed process left behind is used if it has the same bytes, and replaced otherwise.
 */
export async function copyBlob(
  source: StoredBlob,
  target: StoredBlob,
  contentType: string,
  signal: AbortSignal,
): Promise<CopiedBlob | undefined> {
  const snapshot = await openSnapshot(source, signal);
  if (!snapshot) return undefined;
  const { etag, sizeBytes } = snapshot;
  for (let tries = 1; ; tries++) {
    const hash = createHash('sha256');
    const parts = joinParts(hashed(await contentOf(source, snapshot, signal), hash));
    const isNew = await target.putNew({ parts, sizeBytes, contentType }, signal).catch(refuseOutage);
    const expected = isNew ? hash.digest('hex') : await hashOf(source, snapshot, signal);
    const copy = await openSnapshot(target, signal);
    if (copy && (await hashOf(target, copy, signal)) === expected) return { etag, copyEtag: copy.etag, sizeBytes };
    if (isNew || tries === triesMax) throw new Error('the copy has other bytes than its source');
    await target.remove(signal).catch(refuseOutage);
  }
}

async function hashOf(blob: StoredBlob, snapshot: BlobSnapshot, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of await contentOf(blob, snapshot, signal)) hash.update(chunk);
  return hash.digest('hex');
}

async function contentOf(blob: StoredBlob, snapshot: BlobSnapshot, signal: AbortSignal): Promise<Content> {
  const { etag, sizeBytes } = snapshot;
  if (sizeBytes <= chunkBytes) {
    const whole = Buffer.alloc(sizeBytes);
    await snapshot.read(whole, 0);
    return [whole];
  }
  const content = await downloadBlob(blob, etag, signal);
  if (!content) throw new BlobChanged('the blob was deleted while it was copied');
  return content;
}

async function* hashed(bytes: Content, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
}

/** Joins the chunks into parts of the same size, except for the last. */
async function* joinParts(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    chunks.push(chunk);
    length += chunk.length;
    while (length >= partBytes) {
      const joined = Buffer.concat(chunks);
      yield joined.subarray(0, partBytes);
      chunks = [joined.subarray(partBytes)];
      length -= partBytes;
    }
  }
  if (length > 0) yield Buffer.concat(chunks);
}
