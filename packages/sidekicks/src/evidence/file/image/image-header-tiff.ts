import type { Source } from '@assay/jail/source/source.ts';
import type { Reading } from '#evidence/bounded.ts';
import { readBytes } from '../bytes/read-bytes.ts';
import type { ImageSize } from './image-size.ts';

const tags = { width: 256, height: 257 } as const;

/** Offsets and widths of the fields, which differ between classic TIFF and BigTIFF. */
type FieldLayout = { countBytes: number; fieldBytes: number; offsetBytes: number; valueAt: number; firstAt: number };
const classicLayout: FieldLayout = { countBytes: 2, fieldBytes: 12, offsetBytes: 4, valueAt: 8, firstAt: 4 };
const bigLayout: FieldLayout = { countBytes: 8, fieldBytes: 20, offsetBytes: 8, valueAt: 12, firstAt: 8 };

/** The size of the largest image and the number of images. A cyclic chain of directories ends where it repeats. */
export async function readTiffSize(
  head: Buffer,
  { bytes, signal }: Source,
  reading: Reading,
): Promise<ImageSize | null> {
  const isLittle = head[0] === 0x49;
  const layout = head[isLittle ? 2 : 3] === 0x2b ? bigLayout : classicLayout;
  if (head.length < 16) return null;
  const number = (from: Buffer, at: number, length: number) =>
    length === 8
      ? Number(isLittle ? from.readBigUInt64LE(at) : from.readBigUInt64BE(at))
      : isLittle
        ? from.readUIntLE(at, length)
        : from.readUIntBE(at, length);

  const seen = new Set<number>();
  let largest: ImageSize | null = null;
  let directoryAt = number(head, layout.firstAt, layout.offsetBytes);
  while (directoryAt > 0 && directoryAt < bytes.sizeBytes && !seen.has(directoryAt)) {
    if (!reading.take('tiffDirectories')) break;
    signal.throwIfAborted();
    seen.add(directoryAt);
    const countField = await readBytes(bytes, directoryAt, layout.countBytes);
    if (countField.length < layout.countBytes) break;
    const fieldCount = number(countField, 0, layout.countBytes);
    if (!reading.accepts('tiffFields', fieldCount)) break;
    const bodyBytes = fieldCount * layout.fieldBytes;
    const body = await readBytes(bytes, directoryAt + layout.countBytes, bodyBytes + layout.offsetBytes);
    const found = { width: 0, height: 0 };
    for (let at = 0; at + layout.fieldBytes <= Math.min(bodyBytes, body.length); at += layout.fieldBytes) {
      const tag = number(body, at, 2);
      const valueBytes = number(body, at + 2, 2) === 3 ? 2 : 4; // 2 bytes for SHORT, 4 for LONG
      if (tag === tags.width) found.width = number(body, at + layout.valueAt, valueBytes);
      if (tag === tags.height) found.height = number(body, at + layout.valueAt, valueBytes);
    }
    if (!largest || found.width * found.height > largest.width * largest.height) largest = { ...found, frames: 1 };
    if (body.length < bodyBytes + layout.offsetBytes) break;
    directoryAt = number(body, bodyBytes, layout.offsetBytes);
  }
  return largest && { ...largest, frames: seen.size };
}
