import { promisify } from 'node:util';
import { inflateRaw, constants as zlib } from 'node:zlib';
import { withAnonymousFile } from '@assay/jail/anonymous-file.ts';
import { runTool } from '@assay/jail/run-tool.ts';
import type { RandomAccess } from '@assay/jail/source/random-access.ts';
import type { Source } from '@assay/jail/source/source.ts';
import { withinLimits } from '@assay/jail/within-limits.ts';
import { readZipDirectory, readZipEntry, type ZipEntry } from '../archive/zip-directory.ts';
import { readBytes } from '../bytes/read-bytes.ts';
import { exifTool } from './exiftool.ts';
import { type MetadataTag, readMetadataReport } from './metadata-report.ts';

const inflate = promisify(inflateRaw);

const photosMax = 8;
const windowBytes = 1024 * 1024;
/** The maximum size of a JPEG segment, including its marker. */
const segmentBytesMax = 0x10001;
const partsMax = 200;
/** Only the start of each compressed image is read, because EXIF is there. A JPEG hardly grows when inflated. */
const packedBytesMax = 256 * 1024;
const inflatedBytesMax = { image: 16 * packedBytesMax, together: 64 * 1024 * 1024 } as const;

/**
 * Metadata of photos inside the file. ExifTool finds only some images in a PDF, depending on how they are named, and
 * none in Office files or cover art. If a JPEG is stored unmodified, its EXIF block is extracted and read separately.
 */
export async function readEmbeddedPhotos(source: Source, blocks: readonly Buffer[]): Promise<MetadataTag[]> {
  const tags: MetadataTag[] = [];
  for (const block of blocks) {
    source.signal.throwIfAborted();
    const bare = Buffer.concat([Buffer.from([0xff, 0xd8]), block, Buffer.from([0xff, 0xd9])]);
    const end = await withinLimits(withAnonymousFile(bare, (fd) => runTool(exifTool([]), { ...source, fd })));
    const report = end && readMetadataReport(end.stdout.toString());
    for (const tag of report?.tags ?? []) {
      if (tag.family !== 'File' && tag.family !== 'Composite') tags.push({ ...tag, isEmbedded: true });
    }
  }
  return tags;
}

/** EXIF blocks of JPEGs that are stored unmodified in these bytes. */
export async function findExifBlocks({ bytes, signal }: Source, bytesMax: number): Promise<Buffer[]> {
  const blocks = new Map<string, Buffer>();
  const sizeBytes = Math.min(bytes.sizeBytes, bytesMax);
  for (let offset = 0; offset < sizeBytes && blocks.size < photosMax; offset += windowBytes) {
    signal.throwIfAborted();
    addExifBlocks(blocks, await readBytes(bytes, offset, windowBytes + segmentBytesMax), windowBytes);
  }
  return [...blocks.values()];
}

/** EXIF blocks of the JPEGs in an Office package. */
export async function findOfficeExifBlocks({ bytes, signal }: Source): Promise<Buffer[]> {
  const directory = await readZipDirectory(bytes);
  const images = (directory?.entries ?? []).filter(({ name }) => /\.jpe?g$/i.test(name)).slice(0, partsMax);
  const blocks = new Map<string, Buffer>();
  let inflatedBytes = 0;
  for (const image of images) {
    if (blocks.size >= photosMax || inflatedBytes >= inflatedBytesMax.together) break;
    signal.throwIfAborted();
    const head = await readHead(bytes, image);
    inflatedBytes += head.length || inflatedBytesMax.image;
    addExifBlocks(blocks, head, head.length);
  }
  return [...blocks.values()];
}

const exifMarker = 'Exif\0\0';
/** Every EXIF block starts with a TIFF header, of either byte order. */
const tiffHeaders = ['II*\0', 'MM\0*'];

/**
 * Adds the EXIF blocks that start before this offset. The search continues after the end of a block, because JPEG
 * segments do not overlap. So each byte is searched once, however many markers there are.
 */
function addExifBlocks(blocks: Map<string, Buffer>, window: Buffer, before: number): void {
  let at = window.indexOf(exifMarker, 0, 'latin1');
  while (at >= 0 && at - 4 < before && blocks.size < photosMax) {
    const block = exifBlockAt(window, at);
    if (block) blocks.set(block.toString('latin1'), Buffer.from(block));
    at = window.indexOf(exifMarker, block ? at - 4 + block.length : at + 1, 'latin1');
  }
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

async function readHead(bytes: RandomAccess, entry: ZipEntry): Promise<Buffer> {
  const none = Buffer.alloc(0);
  if (entry.isEncrypted) return none;
  const packed = await readZipEntry(bytes, {
    ...entry,
    compressedBytes: Math.min(entry.compressedBytes, packedBytesMax),
  });
  if (!packed || entry.method === 0) return packed ?? none;
  if (entry.method !== 8) return none;
  try {
    // The input is truncated on purpose: Z_SYNC_FLUSH returns the data up to the truncation.
    return await inflate(packed, { finishFlush: zlib.Z_SYNC_FLUSH, maxOutputLength: inflatedBytesMax.image });
  } catch {
    return none; // too damaged for any viewer, or larger than any JPEG becomes when inflated
  }
}
