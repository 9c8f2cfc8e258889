import { withAnonymousFile } from '@assay/jail/anonymous-file.ts';
import { runTool, type Tool } from '@assay/jail/run-tool.ts';
import type { Source } from '@assay/jail/source/source.ts';
import { withinLimits } from '@assay/jail/within-limits.ts';
import { readImageHeader } from '../image/image-header.ts';
import { compareThumbnail, type GrayImage, graySide, type Likeness } from '../image/image-likeness.ts';
import { exifTool } from './exiftool.ts';
import { binaryBytesOf, type MetadataTag, readRows } from './metadata-report.ts';

export type Thumbnail = {
  /** ExifTool's name of the tag, such as `ThumbnailImage`. */
  name: string;
  width: number;
  height: number;
  /** `null` if the image or the thumbnail could not be decoded. */
  likeness: Likeness | null;
};

/**
 * Tags of embedded images that should show the same content as the image itself. The additional images of a stereo or
 * HDR file (`MPImage2`) are supposed to differ.
 */
const comparedNames = new Set(['ThumbnailImage', 'PreviewImage', 'PhotoshopThumbnail', 'OtherImage', 'JpgFromRaw']);
const base64Prefix = 'base64:';
const thumbnailsMax = 4;
const thumbnailBytesMax = 8 * 1024 * 1024;

const ffmpegLimits = {
  secondsMax: 60,
  cpuSecondsMax: 30,
  memoryBytesMax: 2048 * 1024 * 1024,
  outputBytesMax: graySide * graySide,
} as const;
const pixelsMax = 400_000_000;

/** The demuxer for each recognised format. Other formats cannot be decoded here. */
const demuxers: ReadonlyMap<string, string> = new Map([
  ['image/jpeg', 'jpeg_pipe'],
  ['image/png', 'png_pipe'],
  ['image/apng', 'png_pipe'],
  ['image/webp', 'webp_pipe'],
  ['image/tiff', 'tiff_pipe'],
  ['image/avif', 'mov'],
]);

/** Extracts the thumbnails of an image and compares each with the image. */
export async function readThumbnails(
  source: Source,
  tags: readonly MetadataTag[],
  recognition: string,
): Promise<Thumbnail[]> {
  const present = tags.filter(({ name, value }) => {
    const bytes = binaryBytesOf(value);
    return comparedNames.has(name) && bytes !== null && bytes <= thumbnailBytesMax;
  });
  if (present.length === 0) return [];
  const header = await readImageHeader(source);
  const extracted = await extractThumbnails(source, [...new Set(present.map(({ name }) => name))]);
  if (extracted.length === 0) return [];
  const demuxer = demuxers.get(recognition);
  const gray = demuxer && header?.height ? await decodeGray(source, demuxer) : null;
  const image = gray && header ? { gray, aspectRatio: header.width / header.height } : null;
  const thumbnails: Thumbnail[] = [];
  for (const { name, bytes } of extracted.slice(0, thumbnailsMax)) {
    source.signal.throwIfAborted();
    const { width = 0, height = 0 } = (await readImageHeader({ ...source, bytes: randomAccessTo(bytes) })) ?? {};
    if (width === 0 || height === 0) continue; // not a JPEG, or a JPEG without a size
    const thumbnailGray = image && (await withAnonymousFile(bytes, (fd) => decodeGray({ ...source, fd }, 'jpeg_pipe')));
    thumbnails.push({ name, width, height, likeness: compareIfDecoded(image, thumbnailGray, width / height) });
  }
  return thumbnails;
}

function compareIfDecoded(image: GrayImage | null, gray: Uint8Array | null, aspectRatio: number): Likeness | null {
  return image && gray ? compareThumbnail(image, { gray, aspectRatio }) : null;
}

async function extractThumbnails(source: Source, wanted: string[]): Promise<{ name: string; bytes: Buffer }[]> {
  const end = await withinLimits(runTool(exifTool(['-b', ...wanted.map((name) => `-${name}`)]), source));
  const found: { name: string; bytes: Buffer }[] = [];
  for (const [key, value] of readRows(end?.stdout.toString() ?? '') ?? []) {
    if (typeof value !== 'string' || !value.startsWith(base64Prefix)) continue;
    const bytes = Buffer.from(value.slice(base64Prefix.length), 'base64');
    const isJpeg = bytes[0] === 0xff && bytes[1] === 0xd8;
    // The same bytes can have two tags, one for their location and one for their kind.
    if (isJpeg && !found.some((one) => one.bytes.equals(bytes)))
      found.push({ name: key.split(':').at(-1) ?? '', bytes });
  }
  return found;
}

/** Decodes to a small square of grey values, whatever the aspect ratio; `null` if it cannot be decoded. */
async function decodeGray(source: Pick<Source, 'fd' | 'signal' | 'jail'>, demuxer: string): Promise<Uint8Array | null> {
  const tool: Tool = {
    program: '/usr/bin/ffmpeg',
    args: [
      ...['-v', 'error', '-nostdin', '-protocol_whitelist', 'file,pipe', '-noautorotate', '-threads', '1'],
      ...['-max_pixels', `${pixelsMax}`, '-f', demuxer, '-i', '/in', '-map', '0:v:0', '-frames:v', '1'],
      ...['-vf', `scale=${graySide}:${graySide}:flags=area,format=gray`, '-f', 'rawvideo', 'pipe:1'],
    ],
    ...ffmpegLimits,
  };
  const end = await withinLimits(runTool(tool, source));
  return end?.exitCode === 0 && end.stdout.length === graySide * graySide ? end.stdout : null;
}

function randomAccessTo(bytes: Buffer) {
  return { sizeBytes: bytes.length, read: async (target: Uint8Array, offset: number) => bytes.copy(target, 0, offset) };
}
