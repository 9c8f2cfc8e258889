import { promisify } from 'node:util';
import { inflateRaw, constants as zlib } from 'node:zlib';
import type { NotExaminedReason } from '@assay/contract/schemas/coverage.ts';
import type { RandomAccess } from '@assay/jail/source/random-access.ts';
import type { Source } from '@assay/jail/source/source.ts';
import type { Reading } from '#evidence/bounded.ts';
import { readZipEntry, type ZipDirectory, type ZipEntry } from '../archive/zip-directory.ts';
import { addExifBlocks, type ExifBlocks } from './embedded-photos.ts';
import type { Complaint } from './metadata-report.ts';

const inflate = promisify(inflateRaw);

/** Nearly every photo has its EXIF block here. If neither it nor the pixels are, more of the photo is read. */
const firstBytes = 128 * 1024;

/** EXIF blocks of the JPEGs in an Office package, and the JPEGs that could not be read. */
export async function findOfficeExifBlocks(
  { bytes, signal }: Source,
  { entries }: ZipDirectory,
  reading: Reading,
): Promise<{ blocks: ExifBlocks; complaints: Complaint[] }> {
  const blocks: ExifBlocks = new Map();
  const unread = new Set<NotExaminedReason>();
  for (const entry of entries) {
    if (!/\.jpe?g$/i.test(entry.name)) continue;
    signal.throwIfAborted();
    if (!reading.take('photoParts')) break;
    const head = await readHead(bytes, entry, reading);
    if (typeof head === 'string') unread.add(head);
    if (head === 'encrypted' || head === 'unsupported') continue;
    // Inflating in vain can take as long as inflating the largest photo.
    const costBytes = typeof head === 'string' ? reading.left('photoInflatedBytes') : head.length;
    if (!reading.take('photoBytes', costBytes)) break;
    if (typeof head !== 'string' && !addExifBlocks(blocks, head, head.length, reading)) break;
  }
  unread.delete('limit_reached'); // the reading has it
  const complaints = [...unread].map((reason) => ({ text: 'Photos in the document cannot be read.', reason }));
  return { blocks, complaints };
}

/** The start of a photo, with its metadata, or why it cannot be read. */
async function readHead(bytes: RandomAccess, entry: ZipEntry, reading: Reading): Promise<Buffer | NotExaminedReason> {
  const first = await inflateStart(bytes, entry, firstBytes, reading);
  if (typeof first === 'string' || entry.compressedBytes <= firstBytes || hasMetadata(first)) return first;
  const more = await inflateStart(bytes, entry, reading.left('photoHeadBytes'), reading);
  if (typeof more === 'string' || hasMetadata(more)) return more;
  reading.accepts('photoHeadBytes', entry.compressedBytes);
  return more;
}

async function inflateStart(
  bytes: RandomAccess,
  entry: ZipEntry,
  lengthBytes: number,
  reading: Reading,
): Promise<Buffer | NotExaminedReason> {
  if (entry.isEncrypted) return 'encrypted';
  const packed = await readZipEntry(bytes, {
    ...entry,
    compressedBytes: Math.min(entry.compressedBytes, lengthBytes),
  });
  if (!packed) return 'damaged';
  if (entry.method === 0) return packed;
  if (entry.method !== 8) return 'unsupported';
  try {
    // The input is truncated on purpose: Z_SYNC_FLUSH returns the data up to the truncation.
    const maxOutputLength = reading.left('photoInflatedBytes');
    return await inflate(packed, { finishFlush: zlib.Z_SYNC_FLUSH, maxOutputLength });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') return 'damaged';
    reading.exceed('photoInflatedBytes'); // a JPEG hardly grows when inflated
    return 'limit_reached';
  }
}

/** Whether the start of a JPEG has its EXIF block, or reaches the pixels without one. False if it is cut before. */
function hasMetadata(head: Buffer): boolean {
  if (head.length < 2 || head.readUInt16BE(0) !== 0xffd8) return true; // not a JPEG, so it has no EXIF block
  let at = 2;
  while (at + 10 <= head.length) {
    if (head[at] !== 0xff || head[at + 1] === 0xda) return true;
    const end = at + 2 + head.readUInt16BE(at + 2);
    if (head[at + 1] === 0xe1 && head.toString('latin1', at + 4, at + 8) === 'Exif') return end <= head.length;
    at = end;
  }
  return false;
}
