import { inflateRawSync, constants as zlib } from 'node:zlib';
import { exifTool } from './exiftool.ts';
import { type MetadataTag, readMetadataReport } from './metadata-report.ts';
import { withNamelessFile } from './nameless-file.ts';
import type { RandomAccess } from './random-access.ts';
import { readBytes } from './read-bytes.ts';
import { runTool } from './run-tool.ts';
import type { Source } from './source.ts';
import { withinLimits } from './within-limits.ts';
import { readZipDirectory, readZipEntry, type ZipEntry } from './zip-directory.ts';

const photosMax = 8;
const windowBytes = 1024 * 1024;
/** As much as a segment of a JPEG holds. */
const segmentBytesMax = 0x10001;
const partsMax = 200;
/** Of a packed picture: its EXIF stands at the beginning. */
const packedBytesMax = 256 * 1024;

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

/** EXIF blocks of JPEGs that lie in these bytes as they are. */
export async function findExifBlocks({ bytes, signal }: Source, bytesMax: number): Promise<Buffer[]> {
  const blocks = new Map<string, Buffer>();
  const sizeBytes = Math.min(bytes.sizeBytes, bytesMax);
  for (let offset = 0; offset < sizeBytes && blocks.size < photosMax; offset += windowBytes) {
    signal.throwIfAborted();
    const window = await readBytes(bytes, offset, windowBytes + segmentBytesMax);
    for (const block of exifBlocksOf(window, windowBytes)) {
      if (blocks.size < photosMax) blocks.set(block.toString('latin1'), block);
    }
  }
  return [...blocks.values()];
}

/** EXIF blocks of the JPEGs in an Office package. */
export async function findOfficeExifBlocks({ bytes, signal }: Source): Promise<Buffer[]> {
  const directory = await readZipDirectory(bytes);
  const pictures = (directory?.entries ?? []).filter(({ name }) => /\.jpe?g$/i.test(name)).slice(0, partsMax);
  const blocks = new Map<string, Buffer>();
  for (const picture of pictures) {
    signal.throwIfAborted();
    const head = await readHead(bytes, picture);
    for (const block of exifBlocksOf(head, head.length)) {
      if (blocks.size < photosMax) blocks.set(block.toString('latin1'), block);
    }
  }
  return [...blocks.values()];
}

/** Those that begin before this offset and are there to their end. */
function* exifBlocksOf(window: Buffer, before: number): Generator<Buffer> {
  for (let at = window.indexOf('Exif\0\0', 0, 'latin1'); at >= 0; at = window.indexOf('Exif\0\0', at + 1, 'latin1')) {
    const begin = at - 4;
    if (begin < 0 || begin >= before || window.readUInt16BE(begin) !== 0xffe1) continue;
    const block = window.subarray(begin, at - 2 + window.readUInt16BE(at - 2));
    if (block.length > 20) yield Buffer.from(block);
  }
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
    return inflateRawSync(packed, { finishFlush: zlib.Z_SYNC_FLUSH, maxOutputLength: 64 * packedBytesMax });
  } catch {
    return none; // damaged: what cannot be unpacked cannot be shown either
  }
}
