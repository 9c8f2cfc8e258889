import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { openAnonymousFile } from '@assay/jail/anonymous-file.ts';
import type { RandomAccess } from '@assay/jail/source/random-access.ts';
import { Outage } from '#platform/outage.ts';

/** `fd` is a read-only descriptor, which can be given to another process. */
export type ScratchFile = RandomAccess & { sha256: Buffer; fd: number; stream(): Readable };

/** Spools the bytes to disk, so that memory use does not grow with concurrent uploads. */
export async function withScratchFile<T>(
  bytes: AsyncIterable<Buffer>,
  work: (scratch: ScratchFile) => Promise<T>,
): Promise<T> {
  const { file, reading } = await openAnonymousFile();
  try {
    const hash = createHash('sha256');
    let sizeBytes = 0;
    for await (const chunk of bytes) {
      await writeWhole(file, chunk);
      hash.update(chunk);
      sizeBytes += chunk.length;
    }
    return await work({
      sizeBytes,
      sha256: hash.digest(),
      fd: reading.fd,
      read: async (target, offset) => (await file.read(target, 0, target.length, offset)).bytesRead,
      stream: () => file.createReadStream({ start: 0, autoClose: false }),
    });
  } finally {
    await Promise.all([file.close(), reading.close()]);
  }
}

/** A single write may be partial, as on a disk that is nearly full. */
async function writeWhole(file: FileHandle, bytes: Uint8Array): Promise<void> {
  try {
    for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten;
  } catch (cause) {
    const isFull = ['ENOSPC', 'EDQUOT'].includes((cause as NodeJS.ErrnoException).code ?? '');
    throw isFull ? new Outage('disk', cause) : cause;
  }
}
