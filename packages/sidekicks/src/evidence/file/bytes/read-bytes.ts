import type { RandomAccess } from '@assay/jail/source/random-access.ts';

/** Reads up to `lengthBytes` bytes from the offset; fewer if the file ends before. */
export async function readBytes(bytes: RandomAccess, offset: number, lengthBytes: number): Promise<Buffer> {
  const length = Math.min(lengthBytes, bytes.sizeBytes - offset);
  if (offset < 0 || length <= 0) return Buffer.alloc(0);
  const target = Buffer.alloc(length);
  return target.subarray(0, await bytes.read(target, offset));
}

export function accessTo(content: Buffer): RandomAccess {
  return { sizeBytes: content.length, read: async (target, offset) => content.copy(target, 0, offset) };
}
