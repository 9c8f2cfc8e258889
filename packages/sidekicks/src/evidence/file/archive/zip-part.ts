import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import type { RandomAccess } from '@assay/jail/source/random-access.ts';
import { readZipEntry, type ZipEntry } from './zip-directory.ts';

const inflate = promisify(inflateRaw);

const partBytesMax = { compressed: 256 * 1024, inflated: 1024 * 1024 } as const;

/**
 * Reads a small part of an Office package, such as its properties; `null` if the part is encrypted, damaged or too
 * large.
 */
export async function readZipPart(bytes: RandomAccess, entry: ZipEntry): Promise<Buffer | null> {
  if (entry.isEncrypted || entry.compressedBytes > partBytesMax.compressed) return null;
  const packed = await readZipEntry(bytes, entry);
  if (!packed || entry.method === 0) return packed;
  if (entry.method !== 8) return null;
  try {
    return await inflate(packed, { maxOutputLength: partBytesMax.inflated });
  } catch {
    return null; // damaged, or larger than such a part can be
  }
}
