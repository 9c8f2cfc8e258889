import { promisify } from 'node:util';
import { inflateRaw, constants as zlib } from 'node:zlib';
import { exifTool } from './exiftool.ts';
import { type MetadataTag, readMetadataReport } from './metadata-report.ts';
import { withNamelessFile } from './nameless-file.ts';
import type { RandomAccess } from './random-access.ts';
import { readBytes } from './read-bytes.ts';
import { runTool } from './run-tool.ts';
import type { Source } from './source.ts';
import { withinLimits } from './within-limits.ts';
import { readZipDirectory, readZipEntry, type ZipEntry } from './zip-directory.ts';

const inflate = promisify(inflateRaw);

const photosMax = 8;
const windowBytes = 1024 * 1024;
/** As much as a segment of a JPEG holds. */
const segmentBytesMax = 0x10001;
const partsMax = 200;
/** Of a packed picture: its EXIF is at the beginning. A JPEG hardly grows when it is inflated. */
const packedBytesMax = 256 * 1024;
const inflatedBytesMax = { picture: 16 * packedBytesMax, together: 64 * 1024 * 1024 } as const;

/**
 * What photographs inside the file say of themselves. ExifTool sees pictures of a PDF that are named in one way, and
 * none in Office files or on covers; where a JPEG lies there as it is, its EXIF block is taken out and read by itself.
 */
export async function readEmbeddedPhotos(source: Source, blocks: readonly Buffer[]): Promise<MetadataTag[]> {
  const tags: MetadataTag[] = [];
  for (const block of blocks) {
    source.signal.throwIfAborted();
    const bare = Buffer.concat([Buffer.from([0xff, 0xd8]), block, Buffer.from([0xff, 0xd9])]);
    const end = await withinLimits(withNamelessFile(bare, (fd) => runTool(exifTool([]), { ...source, fd })));
    const report = end && readMetadataReport(end.stdout.toString());
    for (const tag of report?.tags ?? []) {
      if (tag.family !== 'File' && tag.family !== 'Composite') tags.push({ ...tag, isEmbedded: true });
    }
  }
  return tags;
}

/** EXIF blocks of JPEGs that are in these bytes as they are. */
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
  const pictures = (directory?.entries ?? []).filter(({ name }) => /\.jpe?g$/i.test(name)).slice(0, partsMax);
  const blocks = new Map<string, Buffer>();
  let inflatedBytes = 0;
  for (const picture of pictures) {
    if (blocks.size >= photosMax || inflatedBytes >= inflatedBytesMax.together) break;
    signal.throwIfAborted();
    const head = await readHead(bytes, picture);
    inflatedBytes += head.length || inflatedBytesMax.picture;
    addExifBlocks(blocks, head, head.length);
  }
  return [...blocks.values()];
}

const exifMark = 'Exif\0\0';
/** What every EXIF block begins with: a TIFF header of either byte order. */
const tiffMarks = ['II*\0', 'MM\0*'];

/**
 * Adds the blocks that begin before this offset and are there to their end. The search goes on behind a block, as the
 * segments of a JPEG do not overlap: so each byte is looked at once, however many marks there are.
 */
function addExifBlocks(blocks: Map<string, Buffer>, window: Buffer, before: number): void {
  let at = window.indexOf(exifMark, 0, 'latin1');
  while (at >= 0 && at - 4 < before && blocks.size < photosMax) {
    const block = exifBlockAt(window, at);
    if (block) blocks.set(block.toString('latin1'), Buffer.from(block));
    at = window.indexOf(exifMark, block ? at - 4 + block.length : at + 1, 'latin1');
  }
}

/** The segment whose mark is at this offset, `null` where there is only the mark. */
function exifBlockAt(window: Buffer, at: number): Buffer | null {
  const begin = at - 4;
  if (begin < 0 || window.readUInt16BE(begin) !== 0xffe1) return null;
  const tiffAt = at + exifMark.length;
  if (!tiffMarks.includes(window.toString('latin1', tiffAt, tiffAt + 4))) return null;
  const block = window.subarray(begin, begin + 2 + window.readUInt16BE(begin + 2));
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
    // Cut short on purpose: it gives what it has.
    return await inflate(packed, { finishFlush: zlib.Z_SYNC_FLUSH, maxOutputLength: inflatedBytesMax.picture });
  } catch {
    return none; // damaged, which no reader can show either, or larger than any JPEG becomes
  }
}
