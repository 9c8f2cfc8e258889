import type { RandomAccess } from '@assay/jail/source/random-access.ts';
import type { Source } from '@assay/jail/source/source.ts';
import { readBytes } from '../../file/bytes/read-bytes.ts';
import { recognise } from '../../file/format/recognise.ts';
import { findAppendedVideo } from '../../file/image/appended-video.ts';

/** An image that moves, by the structure of its file. */
export type Animation = { format: 'WebP' | 'AVIF' | 'HEIC' | 'motion photo' };

/** A file with more chunks or boxes than this before its second frame is not searched further. */
const partsMax = 1000;
const animatedFlag = 0x02;
/** Brands of files that are image sequences in the first place. */
const sequenceBrands = new Set(['avis', 'msf1', 'hevc', 'hevx']);
const formats: ReadonlyMap<string, Exclude<Animation['format'], 'motion photo'>> = new Map([
  ['image/webp', 'WebP'],
  ['image/avif', 'AVIF'],
  ['image/heic', 'HEIC'],
  ['image/heif', 'HEIC'],
  ['image/heic-sequence', 'HEIC'],
  ['image/heif-sequence', 'HEIC'],
]);

/** Null for stills, and for images whose demuxer tells how many frames they have: GIF and APNG. */
export async function readAnimation(source: Pick<Source, 'bytes' | 'signal'>): Promise<Animation | null> {
  const { bytes } = source;
  const recognition = await recognise(bytes);
  const format = formats.get(recognition);
  if (format && (await (format === 'WebP' ? isAnimatedWebp(bytes) : isImageSequence(bytes)))) return { format };
  const mayHaveVideo = recognition === 'image/jpeg' || format === 'HEIC';
  return mayHaveVideo && (await findAppendedVideo(source)) !== null ? { format: 'motion photo' } : null;
}

/** Two frames (`ANMF`) or more. Without the flag in `VP8X`, decoders show only the first image. */
async function isAnimatedWebp(bytes: RandomAccess): Promise<boolean> {
  let frames = 0;
  let isFlagged = false;
  let at = 12; // after RIFF, the size and WEBP
  for (let parts = 0; parts < partsMax; parts++) {
    const head = await readBytes(bytes, at, 9);
    if (head.length < 8) return isFlagged && frames > 1;
    const name = head.toString('latin1', 0, 4);
    if (name === 'VP8X') isFlagged = ((head[8] ?? 0) & animatedFlag) !== 0;
    if (name === 'ANIM') isFlagged = true;
    if (name === 'ANMF') frames++;
    if (isFlagged && frames > 1) return true;
    const sizeBytes = head.readUInt32LE(4);
    at += 8 + sizeBytes + (sizeBytes % 2);
  }
  return isFlagged; // not searched to the end
}

/** A sequence has a track (`moov`), or says that it is one. A still image has only items. */
async function isImageSequence(bytes: RandomAccess): Promise<boolean> {
  const start = await readBytes(bytes, 0, 12);
  if (sequenceBrands.has(start.toString('latin1', 8, 12))) return true;
  let at = 0;
  for (let parts = 0; parts < partsMax; parts++) {
    const head = await readBytes(bytes, at, 16);
    if (head.length < 8) return false;
    if (head.toString('latin1', 4, 8) === 'moov') return true;
    const shortBytes = head.readUInt32BE(0);
    const sizeBytes = shortBytes === 1 && head.length === 16 ? Number(head.readBigUInt64BE(8)) : shortBytes;
    if (sizeBytes < 8) return false; // up to the end of the file, or damaged
    at += sizeBytes;
  }
  return true;
}
