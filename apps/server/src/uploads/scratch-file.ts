import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { Refusal } from '@assay/contract/refusals.ts';
import { openNamelessFile } from '@assay/sidekicks/evidence/nameless-file.ts';
import type { RandomAccess } from '@assay/sidekicks/evidence/random-access.ts';

/** `path` is where another process of this user can open it, for as long as it is open here. */
export type ScratchFile = RandomAccess & { path: string; stream(): Readable };

/** Spools the bytes to disk, so that memory stays flat however many uploads arrive together. */
export async function withScratchFile<T>(
  bytes: AsyncIterable<Buffer>,
  work: (scratch: ScratchFile) => Promise<T>,
): Promise<T> {
  const { file, reading } = await openNamelessFile();
  try {
    let sizeBytes = 0;
    for await (const chunk of bytes) {
      await writeWhole(file, chunk);
      sizeBytes += chunk.length;
    }
    return await work({
      sizeBytes,
      path: `/proc/${process.pid}/fd/${reading.fd}`,
      read: async (target, offset) => (await file.read(target, 0, target.length, offset)).bytesRead,
      stream: () => file.createReadStream({ start: 0, autoClose: false }),
    });
  } finally {
    await Promise.all([file.close(), reading.close()]);
  }
}

/** One write may take only a part of the bytes, as on a disk that is nearly full. */
async function writeWhole(file: FileHandle, bytes: Uint8Array): Promise<void> {
  try {
    for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten;
  } catch (cause) {
    const isFull = ['ENOSPC', 'EDQUOT'].includes((cause as NodeJS.ErrnoException).code ?? '');
    throw isFull ? new Refusal('service_unavailable', { internal: 'disk', cause }) : cause;
  }
}
