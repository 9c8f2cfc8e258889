import type { Readable } from 'node:stream';
import { openNamelessFile } from '@assay/sidekicks/evidence/nameless-file.ts';
import type { RandomAccess } from '@assay/sidekicks/evidence/random-access.ts';

/** `fd` is a descriptor for reading alone, which can be given to others. */
export type ScratchFile = RandomAccess & { fd: number; stream(): Readable };

/** Spools the bytes to disk, so that memory stays flat however many uploads arrive together. */
export async function withScratchFile<T>(
  bytes: AsyncIterable<Buffer>,
  work: (scratch: ScratchFile) => Promise<T>,
): Promise<T> {
  const { file, reading } = await openNamelessFile();
  try {
    let sizeBytes = 0;
    for await (const chunk of bytes) {
      await file.write(chunk);
      sizeBytes += chunk.length;
    }
    return await work({
      sizeBytes,
      fd: reading.fd,
      read: async (target, offset) => (await file.read(target, 0, target.length, offset)).bytesRead,
      stream: () => file.createReadStream({ start: 0, autoClose: false }),
    });
  } finally {
    await Promise.all([file.close(), reading.close()]);
  }
}
