import type { NotExaminedReason } from '@assay/contract/schemas/coverage.ts';
import { withAnonymousFile } from '@assay/jail/anonymous-file.ts';
import { runTool, type Tool } from '@assay/jail/run-tool.ts';
import type { Source, ToolSource } from '@assay/jail/source/source.ts';
import { withinLimits } from '@assay/jail/within-limits.ts';
import type { Reading } from '#evidence/bounded.ts';
import { memoryOfFrames } from '#evidence/memory-of-frames.ts';
import { accessTo } from '../bytes/read-bytes.ts';
import { readImageHeader } from '../image/image-header.ts';
import { compareThumbnail, type GrayImage, graySide, type Likeness } from '../image/image-likeness.ts';
import { runExifTool } from './exiftool.ts';
import { binaryBytesOf, type MetadataTag, readRows } from './metadata-report.ts';

export type Thumbnail = {
  /** ExifTool's name of the tag, such as `ThumbnailImage`. */
  name: string;
  width: number;
  height: number;
  /** `null` if it was not compared with the image. */
  likeness: Likeness | null;
  /** Why it was not compared. */
  reason: NotExaminedReason | null;
};

/**
 * Tags of embedded images that should show the same content as the image itself. The additional images of a stereo or
 * HDR file (`MPImage2`) are supposed to differ.
 */
const comparedName = /^\w{0,40}(?:Thumbnail|Preview)\w{0,40}$|^OtherImage$|^JpgFromRaw$/;
const base64Prefix = 'base64:';

const ffmpegLimits = {
  secondsMax: 60,
  cpuSecondsMax: 30,
  memoryBytesMax: 2048 * 1024 * 1024,
  outputBytesMax: graySide * graySide,
} as const;
const pixelsMax = 400_000_000;
/** The image, and a copy of part of it in another format. */
const framesHeld = 2;
/** By how many pixels a side can be longer than shown, because codecs have blocks of fixed sizes. */
const paddingMax = 128;

/** The demuxer for each recognised format. Other formats cannot be decoded here. */
const demuxers: ReadonlyMap<string, string> = new Map([
  ['image/jpeg', 'jpeg_pipe'],
  ['image/png', 'png_pipe'],
  ['image/apng', 'png_pipe'],
  ['image/webp', 'webp_pipe'],
  ['image/tiff', 'tiff_pipe'],
  ['image/avif', 'mov'],
]);

/** Compares each thumbnail of an image with the image. Every tag with a thumbnail is in the result. */
export async function readThumbnails(
  source: Source,
  tags: readonly MetadataTag[],
  recognition: string,
  reading: Reading,
): Promise<Thumbnail[]> {
  const present = tags.filter(isThumbnail).map(({ name }) => name);
  if (present.length === 0) return [];
  const extracted = await extractThumbnails(source, [...new Set(present)], reading);
  const missing = namesLeftOver(present, extracted?.map(({ name }) => name) ?? []);
  const image = await decodeImage(source, recognition);
  const thumbnails = missing.map((name) => notCompared(name, extracted ? 'damaged' : 'limit_reached'));
  for (const { name, bytes } of withoutCopies(extracted ?? [])) {
    source.signal.throwIfAborted();
    thumbnails.push(
      reading.take('thumbnails') && reading.accepts('thumbnailBytes', bytes.length)
        ? await compare(name, bytes, image, source)
        : notCompared(name, 'limit_reached'),
    );
  }
  return thumbnails;
}

// Tags of embedded documents belong to other images than this one.
function isThumbnail({ name, value, isEmbedded }: MetadataTag): boolean {
  return comparedName.test(name) && !isEmbedded && binaryBytesOf(value) !== null;
}

function notCompared(name: string, reason: NotExaminedReason): Thumbnail {
  return { name, width: 0, height: 0, likeness: null, reason };
}

/** The first list without the second; a name can be in each several times. */
function namesLeftOver(names: readonly string[], without: readonly string[]): string[] {
  const left = [...names];
  for (const name of without) {
    const at = left.indexOf(name);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

type Extracted = { name: string; bytes: Buffer };

/** The same bytes can have two tags, one for their location and one for their kind. */
function withoutCopies(extracted: readonly Extracted[]): Extracted[] {
  return extracted.filter(({ bytes }, i) => extracted.findIndex((one) => one.bytes.equals(bytes)) === i);
}

async function compare(
  name: string,
  bytes: Buffer,
  image: GrayImage | NotExaminedReason,
  source: Source,
): Promise<Thumbnail> {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return notCompared(name, 'unsupported'); // not a JPEG
  const { width = 0, height = 0 } = (await readImageHeader({ ...source, bytes: accessTo(bytes) })) ?? {};
  if (width === 0 || height === 0) return notCompared(name, 'damaged');
  if (typeof image === 'string') return { ...notCompared(name, image), width, height };
  const gray = await withAnonymousFile(bytes, (fd) => decodeGray({ ...source, fd }, 'jpeg_pipe', { width, height }));
  if (!gray) return { ...notCompared(name, 'damaged'), width, height };
  const likeness = compareThumbnail(image, { gray, aspectRatio: width / height });
  return { name, width, height, likeness, reason: null };
}

/** The image that thumbnails are compared with, or why it cannot be decoded. */
async function decodeImage(source: Source, recognition: string): Promise<GrayImage | NotExaminedReason> {
  const demuxer = demuxers.get(recognition);
  if (!demuxer) return 'unsupported';
  const header = await readImageHeader(source);
  const gray = header?.height ? await decodeGray(source, demuxer, header) : null;
  return gray && header ? { gray, aspectRatio: header.width / header.height } : 'damaged';
}

/** `null` if ExifTool exceeded its limits. */
async function extractThumbnails(source: Source, wanted: string[], reading: Reading): Promise<Extracted[] | null> {
  const end = await runExifTool(['-b', ...wanted.map((name) => `-${name}`)], source, reading);
  if (!end) return null;
  return (readRows(end.stdout.toString()) ?? []).flatMap(([key, value]) => {
    const isBinary = typeof value === 'string' && value.startsWith(base64Prefix);
    const bytes = isBinary ? Buffer.from(value.slice(base64Prefix.length), 'base64') : null;
    return bytes ? [{ name: key.split(':').at(-1) ?? '', bytes }] : [];
  });
}

/** Decodes to a small square of grey values, whatever the aspect ratio; `null` if it cannot be decoded. */
async function decodeGray(
  source: ToolSource,
  demuxer: string,
  { width, height }: { width: number; height: number },
): Promise<Uint8Array | null> {
  const pixels = Math.min((width + paddingMax) * (height + paddingMax), pixelsMax);
  const tool: Tool = {
    program: '/usr/bin/ffmpeg',
    args: [
      ...['-v', 'error', '-nostdin', '-protocol_whitelist', 'file,pipe', '-noautorotate', '-threads', '1'],
      ...['-max_pixels', `${pixels}`, '-f', demuxer, '-i', '/in', '-map', '0:v:0', '-frames:v', '1'],
      ...['-vf', `scale=${graySide}:${graySide}:flags=area,format=gray`, '-f', 'rawvideo', 'pipe:1'],
    ],
    ...ffmpegLimits,
    memoryNeed: memoryOfFrames(pixels, framesHeld),
  };
  const end = await withinLimits(runTool(tool, source));
  return end?.exitCode === 0 && end.stdout.length === graySide * graySide ? end.stdout : null;
}
