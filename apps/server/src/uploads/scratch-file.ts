import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { RandomAccess } from '@assay/sidekicks/evidence/random-access.ts';

export type ScratchFile = RandomAccess & { stream(): Readable };

/** Spools the bytes to disk, so that memory stays flat however many uploads arrive together. */
export async function withScratchFile<T>(
  bytes: AsyncIterable<Buffer>,
  work: (scratch: ScratchFile) => Promise<T>,
): Promise<T> {
  const name = join(tmpdir(), `assay-upload-${randomUUID()}`);
  const file = await open(name, 'wx+', 0o600);
  try {
    // Without a name the file is gone with the process, however that ends.
    await unlink(name);
    let sizeBytes = 0;
    for await (const chunk of bytes) {
      await file.write(chunk);
      sizeBytes += chunk.length;
    }
    return await work({
      sizeBytes,
      read: async (target, offset) => (await file.read(target, 0, target.length, offset)).bytesRead,
      stream: () => file.createReadStream({ start: 0, autoClose: false }),
    });
  } finally {
    await file.close();
  }
}
