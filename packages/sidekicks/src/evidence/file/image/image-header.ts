import type { Source } from '@assay/jail/source/source.ts';
import { type Bounded, createReading, type Limits, type Reading } from '#evidence/bounded.ts';
import { readBytes } from '../bytes/read-bytes.ts';
import { readIsobmffSize } from './image-header-isobmff.ts';
import { readTiffSize } from './image-header-tiff.ts';
import type { ImageSize } from './image-size.ts';
import { jpegStartOfFrame, pngFrames } from './image-walk.ts';

/** The format and declared size of an image, read without decoding a pixel. */
export type ImageHeader = ImageSize & Bounded & { format: string };

type SizeReader = (head: Buffer, source: Source, reading: Reading) => Promise<ImageSize | null> | ImageSize | null;

const headBytes = 64;

const formats: { format: string; matches(head: Buffer): boolean; sizeOf: SizeReader }[] = [
  {
    format: 'PNG',
    matches: (head) => hasSignatureAt(head, 0, '\x89PNG\r\n\x1a\n'),
    sizeOf: async (head, source, reading) =>
      hasSignatureAt(head, 12, 'IHDR') && head.length >= 24
        ? { ...singleFrameSize(head.readUInt32BE(16), head.readUInt32BE(20)), frames: await pngFrames(source, reading) }
        : null,
  },
  {
    format: 'JPEG',
    matches: (head) => hasSignatureAt(head, 0, '\xff\xd8\xff'),
    sizeOf: async (_, source, reading) => {
      const frame = await jpegStartOfFrame(source, reading);
      return frame && singleFrameSize(frame.readUInt16BE(3), frame.readUInt16BE(1));
    },
  },
  {
    // Frames are drawn at their own positions on the logical screen, so a decoder allocates the screen.
    format: 'GIF',
    matches: (head) => hasSignatureAt(head, 0, 'GIF87a') || hasSignatureAt(head, 0, 'GIF89a'),
    sizeOf: (head) => (head.length >= 10 ? singleFrameSize(head.readUInt16LE(6), head.readUInt16LE(8)) : null),
  },
  {
    format: 'WebP',
    matches: (head) => hasSignatureAt(head, 0, 'RIFF') && hasSignatureAt(head, 8, 'WEBP'),
    sizeOf: webpSize,
  },
  { format: 'BMP', matches: (head) => hasSignatureAt(head, 0, 'BM') && head.length >= 30, sizeOf: bmpSize },
  {
    format: 'TIFF',
    matches: (head) => ['II*\0', 'MM\0*', 'II+\0', 'MM\0+'].some((signature) => hasSignatureAt(head, 0, signature)),
    sizeOf: readTiffSize,
  },
  {
    format: 'HEIF or AVIF',
    matches: (head) =>
      hasSignatureAt(head, 4, 'ftyp') && /hei[cx]|hevc|mif1|msf1|avi[fs]/.test(head.toString('latin1', 8, 40)),
    sizeOf: (_, source, reading) => readIsobmffSize(source, reading),
  },
];

/** Returns `null` if the file is not an image of these formats. `width` is 0 if the size cannot be read. */
export async function readImageHeader(source: Source, limits?: Limits): Promise<ImageHeader | null> {
  const reading = createReading(limits);
  const head = await readBytes(source.bytes, 0, headBytes);
  const known = formats.find(({ matches }) => matches(head));
  if (!known) return null;
  const size = (await known.sizeOf(head, source, reading)) ?? singleFrameSize(0, 0);
  return { format: known.format, ...size, hit: reading.hit };
}

function webpSize(head: Buffer): ImageSize | null {
  if (head.length < 30) return null;
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8X':
      return singleFrameSize(head.readUIntLE(24, 3) + 1, head.readUIntLE(27, 3) + 1);
    case 'VP8L': {
      const bits = head.readUInt32LE(21);
      return singleFrameSize((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1);
    }
    case 'VP8 ':
      return singleFrameSize(head.readUInt16LE(26) & 0x3fff, head.readUInt16LE(28) & 0x3fff);
    default:
      return null;
  }
}

function bmpSize(head: Buffer): ImageSize | null {
  const isOs2 = head.readUInt32LE(14) === 12;
  // A negative height means that the rows are stored from top to bottom.
  return isOs2
    ? singleFrameSize(head.readUInt16LE(18), head.readUInt16LE(20))
    : singleFrameSize(head.readInt32LE(18), Math.abs(head.readInt32LE(22)));
}

function singleFrameSize(width: number, height: number): ImageSize {
  return { width, height, frames: 1 };
}

function hasSignatureAt(head: Buffer, offset: number, signature: string): boolean {
  return head.toString('latin1', offset, offset + signature.length) === signature;
}
