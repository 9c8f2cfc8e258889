import type { Source } from '@assay/jail/source/source.ts';
import type { Reading } from '#evidence/bounded.ts';
import { readBytes } from '../bytes/read-bytes.ts';

/** Compressions of a BMP that leave every row at its full length. */
const uncompressed = new Set([0, 3]);

/** Where a BMP ends: by its rows or by the size that it declares, whichever is less. Many programs leave that at 0. */
export async function findBmpEnd({ bytes }: Source): Promise<number | null> {
  const head = await readBytes(bytes, 0, 34);
  if (head.length < 34) return null;
  const declared = head.readUInt32LE(2) || Number.POSITIVE_INFINITY;
  if (head.readUInt32LE(14) < 40 || !uncompressed.has(head.readUInt32LE(30))) {
    return Math.min(declared, bytes.sizeBytes);
  }
  const rowBytes = 4 * Math.ceil((head.readInt32LE(18) * head.readUInt16LE(28)) / 32);
  return Math.min(declared, head.readUInt32LE(10) + rowBytes * Math.abs(head.readInt32LE(22)));
}

const boxType = /^[a-z0-9 ]{4}$/i;

/** Where the boxes of a HEIF or AVIF image end. What does not look like a box is not part of the image. */
export async function findIsobmffEnd({ bytes, signal }: Source, reading: Reading): Promise<number | null> {
  let at = 0;
  while (at < bytes.sizeBytes) {
    signal.throwIfAborted();
    const head = await readBytes(bytes, at, 16);
    if (head.length < 8 || !boxType.test(head.toString('latin1', 4, 8))) return at;
    if (!reading.take('heifBoxes')) return bytes.sizeBytes;
    const shortBytes = head.readUInt32BE(0);
    if (shortBytes === 0) return bytes.sizeBytes; // up to the end of the file
    const sizeBytes = shortBytes === 1 && head.length === 16 ? Number(head.readBigUInt64BE(8)) : shortBytes;
    if (sizeBytes < 8) return at;
    at += sizeBytes;
  }
  return at;
}
