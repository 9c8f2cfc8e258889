import { withAnonymousFile } from '@assay/jail/anonymous-file.ts';
import type { Source } from '@assay/jail/source/source.ts';
import type { Reading } from '#evidence/bounded.ts';
import { readBytes } from '../bytes/read-bytes.ts';
import { runExifTool } from './exiftool.ts';
import { type MetadataReport, readMetadataReport } from './metadata-report.ts';

const windowBytes = 1024 * 1024;
/** The maximum size of a JPEG segment, including its marker. */
const segmentBytesMax = 0x10001;

/** Each block once, by its content. */
export type ExifBlocks = Map<string, Buffer>;

/**
 * Metadata of photos inside the file. ExifTool finds only some images in a PDF, depending on how they are named, and
 * none in Office files or cover art. If a JPEG is stored unmodified, its EXIF block is extracted and read separately.
 * One JPEG can have many EXIF blocks, so one run of ExifTool reads them all.
 */
export async function readEmbeddedPhotos(
  source: Source,
  blocks: ExifBlocks,
  reading: Reading,
): Promise<Pick<MetadataReport, 'tags' | 'complaints'>> {
  if (blocks.size === 0) return { tags: [], complaints: [] };
  source.signal.throwIfAborted();
  const photo = Buffer.concat([Buffer.from([0xff, 0xd8]), ...blocks.values(), Buffer.from([0xff, 0xd9])]);
  const hitBefore = reading.hit.length;
  const end = await withAnonymousFile(photo, (fd) => runExifTool([], { ...source, fd }, reading));
  const report = end && readMetadataReport(end.stdout.toString(), reading);
  if (!report) {
    const isLimit = reading.hit.length > hitBefore;
    return {
      tags: [],
      complaints: isLimit ? [] : [{ text: 'ExifTool could not read the embedded photos.', reason: 'damaged' }],
    };
  }
  const ofPhotos = report.tags.filter(({ family }) => family !== 'File' && family !== 'Composite');
  return { tags: ofPhotos.map((tag) => ({ ...tag, isEmbedded: true })), complaints: [] };
}

/** EXIF blocks of JPEGs that are stored unmodified in this file, from an offset on. */
export async function findExifBlocks({ bytes, signal }: Source, reading: Reading, from = 0): Promise<ExifBlocks> {
  const blocks: ExifBlocks = new Map();
  reading.accepts('photoSearchBytes', bytes.sizeBytes);
  const sizeBytes = Math.min(bytes.sizeBytes, reading.left('photoSearchBytes'));
  for (let offset = from; offset < sizeBytes; offset += windowBytes) {
    signal.throwIfAborted();
    const window = await readBytes(bytes, offset, Math.min(sizeBytes - offset, windowBytes + segmentBytesMax));
    if (!addExifBlocks(blocks, window, windowBytes, reading)) break;
  }
  return blocks;
}

const exifMarker = 'Exif\0\0';
/** Every EXIF block starts with a TIFF header, of either byte order. */
const tiffHeaders = ['II*\0', 'MM\0*'];

/**
 * Adds the EXIF blocks that start before this offset; returns false if there are more than can be read. The search
 * continues after the end of a block, because JPEG segments do not overlap. So each byte is searched once, however many
 * markers there are.
 */
export function addExifBlocks(blocks: ExifBlocks, window: Buffer, before: number, reading: Reading): boolean {
  let at = window.indexOf(exifMarker, 0, 'latin1');
  while (at >= 0 && at - 4 < before) {
    const block = exifBlockAt(window, at);
    const key = block?.toString('latin1') ?? '';
    if (block && !blocks.has(key)) {
      if (!reading.take('photos')) return false;
      blocks.set(key, Buffer.from(block));
    }
    at = window.indexOf(exifMarker, block ? at - 4 + block.length : at + 1, 'latin1');
  }
  return true;
}

/** Returns the EXIF block whose marker is at this offset; `null` if the marker is not part of a block. */
function exifBlockAt(window: Buffer, at: number): Buffer | null {
  const start = at - 4;
  if (start < 0 || window.readUInt16BE(start) !== 0xffe1) return null;
  const tiffAt = at + exifMarker.length;
  if (!tiffHeaders.includes(window.toString('latin1', tiffAt, tiffAt + 4))) return null;
  const block = window.subarray(start, start + 2 + window.readUInt16BE(start + 2));
  return block.length > 20 ? block : null;
}
