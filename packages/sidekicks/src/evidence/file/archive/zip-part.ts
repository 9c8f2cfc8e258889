import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import type { NotExaminedReason } from '@assay/contract/schemas/coverage.ts';
import type { RandomAccess } from '@assay/jail/source/random-access.ts';
import type { BoundName, Reading } from '#evidence/bounded.ts';
import { readZipEntry, type ZipEntry } from './zip-directory.ts';

const inflate = promisify(inflateRaw);

/** Reads a small part of an Office package, such as its properties, or says why it cannot be read. */
export async function readZipPart(
  bytes: RandomAccess,
  entry: ZipEntry,
  reading: Reading,
): Promise<Buffer | NotExaminedReason> {
  if (!reading.accepts('zipPartPackedBytes', entry.compressedBytes)) return 'limit_reached';
  return inflateZipEntry(bytes, entry, reading, 'zipPartBytes');
}

/** Reads an entry of at most as many bytes as this bound, or says why it cannot be read. */
export async function inflateZipEntry(
  bytes: RandomAccess,
  entry: ZipEntry,
  reading: Reading,
  bound: BoundName,
): Promise<Buffer | NotExaminedReason> {
  if (entry.isEncrypted) return 'encrypted';
  if (!reading.accepts(bound, entry.compressedBytes)) return 'limit_reached';
  const packed = await readZipEntry(bytes, entry);
  if (!packed || packed.length < entry.compressedBytes) return 'damaged';
  if (entry.method === 0) return packed;
  if (entry.method !== 8) return 'unsupported';
  try {
    return await inflate(packed, { maxOutputLength: reading.left(bound) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') return 'damaged';
    reading.exceed(bound);
    return 'limit_reached';
  }
}
