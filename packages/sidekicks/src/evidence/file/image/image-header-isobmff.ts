import type { RandomAccess } from '@assay/jail/source/random-access.ts';
import type { Source } from '@assay/jail/source/source.ts';
import type { Reading } from '#evidence/bounded.ts';
import { readBytes } from '../bytes/read-bytes.ts';
import type { ImageSize } from './image-size.ts';

/** The largest extent (`ispe`) that a HEIF or AVIF image declares. For a grid, that is the size of the whole image. */
export async function readIsobmffSize({ bytes }: Source, reading: Reading): Promise<ImageSize | null> {
  const head = await readProperties(bytes, reading);
  let largest: ImageSize | null = null;
  for (let at = head.indexOf('ispe'); at >= 0; at = head.indexOf('ispe', at + 4)) {
    if (at + 16 > head.length) break;
    const [width, height] = [head.readUInt32BE(at + 8), head.readUInt32BE(at + 12)];
    if (!largest || width * height > largest.width * largest.height) largest = { width, height, frames: 1 };
  }
  return largest;
}

/** The `meta` box, which has the properties of all images in the file; empty if there is none. */
async function readProperties(bytes: RandomAccess, reading: Reading): Promise<Buffer> {
  for (let at = 0; at < bytes.sizeBytes; ) {
    if (!reading.take('heifBoxes')) break;
    const header = await readBytes(bytes, at, 16);
    const sizeBytes = boxBytes(header, bytes.sizeBytes - at);
    if (header.toString('latin1', 4, 8) === 'meta') {
      reading.accepts('heifMetaBytes', sizeBytes);
      return readBytes(bytes, at, Math.min(sizeBytes, reading.left('heifMetaBytes')));
    }
    if (sizeBytes < 8) break;
    at += sizeBytes;
  }
  return Buffer.alloc(0);
}

/** The size that a box declares: 1 means that 64 bits follow, 0 that it is the last box. */
function boxBytes(header: Buffer, bytesLeft: number): number {
  if (header.length < 8) return 0;
  const declared = header.readUInt32BE(0);
  if (declared === 1) return header.length < 16 ? 0 : Math.min(bytesLeft, Number(header.readBigUInt64BE(8)));
  return declared === 0 ? bytesLeft : Math.min(bytesLeft, declared);
}
