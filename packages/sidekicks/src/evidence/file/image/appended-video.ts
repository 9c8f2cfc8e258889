import type { Source } from '@assay/jail/source/source.ts';
import { readBytes } from '../bytes/read-bytes.ts';

const windowBytes = 1024 * 1024;
/** The type of the box that begins a video, after its size of four bytes; at most its list of brands follows. */
const firstBox = 'ftyp';
const boxBytes = { min: 16, max: 256 };

/**
 * Where the video of a motion photo begins: phones store it behind the image, or in a box at its end. Null without one.
 */
export async function findAppendedVideo({ bytes, signal }: Pick<Source, 'bytes' | 'signal'>): Promise<number | null> {
  for (let offset = 0; offset < bytes.sizeBytes; offset += windowBytes) {
    signal.throwIfAborted();
    const window = await readBytes(bytes, offset, windowBytes + boxBytes.min);
    for (let at = window.indexOf(firstBox); at >= 0; at = window.indexOf(firstBox, at + 1)) {
      // An image of the same family of formats begins with such a box itself.
      if (offset + at > 4 && at >= 4 && isFirstBox(window, at)) return offset + at - 4;
    }
  }
  return null;
}

/** The size of the box is a multiple of four, and its brand is text. */
function isFirstBox(window: Buffer, at: number): boolean {
  const sizeBytes = window.readUInt32BE(at - 4);
  const isSized = sizeBytes >= boxBytes.min && sizeBytes <= boxBytes.max && sizeBytes % 4 === 0;
  return isSized && /^[\w ]{4}$/.test(window.toString('latin1', at + 4, at + 8));
}
