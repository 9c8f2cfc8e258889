import type { Source } from '@assay/jail/source/source.ts';
import type { Reading } from '#evidence/bounded.ts';
import { type ByteCursor, createByteCursor } from '../bytes/byte-cursor.ts';
import { readBytes } from '../bytes/read-bytes.ts';
import { findBmpEnd, findIsobmffEnd } from './image-end.ts';

/** More padding than this is not between two images, but appended data. */
const paddingBytesMax = 64 * 1024;

/** Whether images of this format declare where they end. */
export function declaresEnd(format: string): boolean {
  return Object.hasOwn(endFinders, format);
}

/**
 * Returns the offset at which the image ends according to its own structure; `null` if it has no end or the format
 * declares none.
 */
export async function findImageEnd(source: Source, format: string, reading: Reading): Promise<number | null> {
  return (await endFinders[format]?.(source, reading)) ?? null;
}

const endFinders: Record<string, (source: Source, reading: Reading) => Promise<number | null>> = {
  PNG: async (source, reading) => {
    const cursor = cursorAt(source, 8, reading);
    for (;;) {
      if (!cursor.has(8)) await cursor.fill();
      const head = cursor.take(8);
      if (head.length < 8) return null;
      // IEND is empty by definition. Whatever length it declares, bytes after its checksum are not part of the image.
      if (head.toString('latin1', 4, 8) === 'IEND') return cursor.position() + 4;
      cursor.skip(head.readUInt32BE(0) + 4); // the data and the checksum
    }
  },
  GIF: async (source, reading) => {
    const cursor = cursorAt(source, 10, reading);
    if (!cursor.has(3)) await cursor.fill();
    const screen = cursor.take(3);
    if (screen.length < 3) return null;
    cursor.skip(colourTableBytes(screen[0] as number));
    for (;;) {
      if (!cursor.has(1)) await cursor.fill();
      const kind = cursor.byte();
      if (kind === 0x3b) return cursor.position();
      if (kind === 0x21) cursor.skip(1);
      else if (kind === 0x2c) {
        if (!cursor.has(9)) await cursor.fill();
        const frame = cursor.take(9);
        if (frame.length < 9) return null;
        cursor.skip(colourTableBytes(frame[8] as number) + 1);
      } else return null;
      if (!(await skipSubBlocks(cursor))) return null;
    }
  },
  JPEG: async (source, reading) => {
    let end = await jpegEnd(source, 0, reading);
    // Cameras append more complete JPEGs (MPF, gain maps), with padding between them.
    while (end !== null) {
      const next = await nextImage(source, end);
      if (next === null || !reading.take('trailingImages')) break;
      const nextEnd = await jpegEnd(source, next, reading);
      if (nextEnd === null) break;
      end = nextEnd;
    }
    return end;
  },
  WebP: async (source) => {
    const head = await readBytes(source.bytes, 4, 4);
    const sizeBytes = head.length < 4 ? 0 : head.readUInt32LE(0);
    const end = 8 + sizeBytes + (sizeBytes % 2);
    return end <= source.bytes.sizeBytes + 1 ? end : null;
  },
  BMP: findBmpEnd,
  'HEIF or AVIF': findIsobmffEnd,
};

/** Where the first image of a JPEG file ends; more may follow. */
export function firstJpegEnd(source: Source, reading: Reading): Promise<number | null> {
  return jpegEnd(source, 0, reading);
}

/** The first start-of-frame segment of a JPEG: precision, height, width. */
export async function jpegStartOfFrame(source: Source, reading: Reading): Promise<Buffer | null> {
  const cursor = cursorAt(source, 2, reading);
  for (let marker = await nextMarker(cursor); marker !== null; marker = await nextMarker(cursor)) {
    if (!cursor.has(2)) await cursor.fill();
    const length = cursor.take(2);
    if (length.length < 2 || marker === 0xda) return null;
    if (isStartOfFrame(marker)) {
      if (!cursor.has(5)) await cursor.fill();
      const frame = cursor.take(5);
      return frame.length < 5 ? null : frame;
    }
    cursor.skip(Math.max(0, length.readUInt16BE(0) - 2));
  }
  return null;
}

/** The number of frames that an animated PNG declares; 1 for any other PNG. */
export async function pngFrames(source: Source, reading: Reading): Promise<number> {
  const cursor = cursorAt(source, 8, reading);
  while (reading.take('pngChunks')) {
    if (!cursor.has(12)) await cursor.fill();
    const head = cursor.take(12);
    const kind = head.toString('latin1', 4, 8);
    if (head.length < 12 || kind === 'IDAT') return 1;
    if (kind === 'acTL') return Math.max(1, head.readUInt32BE(8));
    cursor.skip(head.readUInt32BE(0)); // the rest of the data and the checksum: 12 bytes are already read
  }
  return 1;
}

async function jpegEnd(source: Source, from: number, reading: Reading): Promise<number | null> {
  const cursor = cursorAt(source, from + 2, reading);
  for (let marker = await nextMarker(cursor); marker !== null; marker = await nextMarker(cursor)) {
    if (marker === 0xd9) return cursor.position();
    if (!cursor.has(2)) await cursor.fill();
    const length = cursor.take(2);
    if (length.length < 2) return null;
    cursor.skip(Math.max(0, length.readUInt16BE(0) - 2));
  }
  return null;
}

async function nextImage(source: Source, from: number): Promise<number | null> {
  const gap = await readBytes(source.bytes, from, paddingBytesMax);
  const at = gap.indexOf(0xff);
  return at >= 0 && gap.toString('latin1', at, at + 3) === '\xff\xd8\xff' ? from + at : null;
}

/** The next marker with a segment, or the end marker. In entropy-coded data between markers, a 0 follows every 0xff. */
async function nextMarker(cursor: ByteCursor): Promise<number | null> {
  for (;;) {
    if (!cursor.has(2)) await cursor.fill();
    if (!cursor.has(2)) return null;
    if (!cursor.moveTo(0xff) || !cursor.has(2)) continue; // at the end of the window: read the next one
    cursor.skip(1);
    const code = cursor.byte();
    if (code === 0xff) cursor.skip(-1);
    else if (code !== 0 && !isStandalone(code)) return code;
  }
}

async function skipSubBlocks(cursor: ByteCursor): Promise<boolean> {
  for (;;) {
    if (!cursor.has(1)) await cursor.fill();
    const length = cursor.byte();
    if (length <= 0) return length === 0;
    cursor.skip(length);
  }
}

function isStandalone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

function isStartOfFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function colourTableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

function cursorAt(source: Source, from: number, reading: Reading): ByteCursor {
  const { sizeBytes } = source.bytes;
  reading.accepts('imageBytes', sizeBytes);
  return createByteCursor(source, from, Math.min(sizeBytes, reading.left('imageBytes')));
}
