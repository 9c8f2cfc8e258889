import type { Source } from '@assay/jail/source/source.ts';
import { readBytes } from '../bytes/read-bytes.ts';
import type { ImageSize } from './image-size.ts';

// The item properties are in the `meta` box, which writers put first.
const headBytes = 256 * 1024;

/** The largest extent (`ispe`) that a HEIF or AVIF image declares. For a grid, that is the size of the whole image. */
export async function readIsobmffSize({ bytes }: Source): Promise<ImageSize | null> {
  const head = await readBytes(bytes, 0, headBytes);
  let largest: ImageSize | null = null;
  for (let at = head.indexOf('ispe'); at >= 0; at = head.indexOf('ispe', at + 4)) {
    if (at + 16 > head.length) break;
    const [width, height] = [head.readUInt32BE(at + 8), head.readUInt32BE(at + 12)];
    if (!largest || width * height > largest.width * largest.height) largest = { width, height, frames: 1 };
  }
  return largest;
}
