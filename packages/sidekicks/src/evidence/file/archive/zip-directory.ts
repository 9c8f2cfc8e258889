import type { RandomAccess } from '@assay/jail/source/random-access.ts';
import type { Reading } from '#evidence/bounded.ts';
import { readBytes } from '../bytes/read-bytes.ts';

export type ZipEntry = {
  name: string;
  compressedBytes: number;
  sizeBytes: number;
  method: number;
  isEncrypted: boolean;
  /** The offset of the entry's local header. */
  headerAt: number;
};

/** `isDamaged`: the directory has more or fewer entries than its end record says. */
export type ZipDirectory = { entries: ZipEntry[]; isDamaged: boolean; at: number };

const endRecordBytes = 22;
const commentBytesMax = 0xffff;
const entryHeaderBytes = 46;
const zip64Bytes = { locator: 20, end: 56 } as const;
const localHeaderBytes = 30;

/**
 * Reads the central directory at the end of a zip; `null` if there is none. Programs disagree on whether the number of
 * entries or the size of the directory counts, so every entry is read, and a difference is damage.
 */
export async function readZipDirectory(bytes: RandomAccess, reading: Reading): Promise<ZipDirectory | null> {
  const end = await findEndRecord(bytes);
  if (!end) return null;
  // Offsets are relative to the start of the archive, so bytes in front of it shift all of them.
  const at = end.endAt - end.directoryBytes;
  const shift = at - end.directoryAt;
  const read = await readBytes(bytes, at, Math.min(end.directoryBytes, reading.left('zipDirectoryBytes')));
  const entries: ZipEntry[] = [];
  let cursor = 0;
  let isCut = false;
  while (isEntryAt(read, cursor) && !isCut) {
    const next = readEntry(read, cursor, shift);
    isCut = !reading.take('zipEntries');
    if (!isCut) entries.push(next.entry);
    cursor = next.end;
  }
  if (entries.length === 0) return null;
  isCut ||= !reading.accepts('zipDirectoryBytes', end.directoryBytes);
  const isDamaged = !isCut && (entries.length !== end.count || cursor !== end.directoryBytes);
  return { entries, isDamaged, at };
}

/** Reads the compressed bytes of an entry; `null` if its local header is invalid. */
export async function readZipEntry(bytes: RandomAccess, entry: ZipEntry): Promise<Buffer | null> {
  const header = await readBytes(bytes, entry.headerAt, localHeaderBytes);
  if (header.length < localHeaderBytes || header.toString('latin1', 0, 4) !== 'PK\x03\x04') return null;
  const dataAt = entry.headerAt + localHeaderBytes + header.readUInt16LE(26) + header.readUInt16LE(28);
  return readBytes(bytes, dataAt, entry.compressedBytes);
}

/** The minimum number of bytes that an entry takes up in the file. */
export function zipExtentBytes(entry: ZipEntry): number {
  return localHeaderBytes + Buffer.byteLength(entry.name, 'latin1') + entry.compressedBytes;
}

type EndRecord = { endAt: number; count: number; directoryBytes: number; directoryAt: number };

async function findEndRecord(bytes: RandomAccess): Promise<EndRecord | null> {
  const tailAt = Math.max(0, bytes.sizeBytes - endRecordBytes - commentBytesMax);
  const tail = await readBytes(bytes, tailAt, endRecordBytes + commentBytesMax);
  for (let at = tail.lastIndexOf('PK\x05\x06'); at >= 0; at = at > 0 ? tail.lastIndexOf('PK\x05\x06', at - 1) : -1) {
    if (
      at + endRecordBytes + (at + endRecordBytes <= tail.length ? tail.readUInt16LE(at + 20) : Infinity) >
      tail.length
    )
      continue;
    const end = {
      endAt: tailAt + at,
      count: tail.readUInt16LE(at + 10),
      directoryBytes: tail.readUInt32LE(at + 12),
      directoryAt: tail.readUInt32LE(at + 16),
    };
    const isZip64 = end.count === 0xffff || end.directoryBytes === 0xffffffff || end.directoryAt === 0xffffffff;
    return isZip64 ? ((await findZip64EndRecord(bytes, end.endAt)) ?? end) : end;
  }
  return null;
}

async function findZip64EndRecord(bytes: RandomAccess, endAt: number): Promise<EndRecord | null> {
  const locator = await readBytes(bytes, endAt - zip64Bytes.locator, zip64Bytes.locator);
  if (locator.toString('latin1', 0, 4) !== 'PK\x06\x07') return null;
  const at = Number(locator.readBigUInt64LE(8));
  const end = await readBytes(bytes, at, zip64Bytes.end);
  if (end.length < zip64Bytes.end || end.toString('latin1', 0, 4) !== 'PK\x06\x06') return null;
  const [count, directoryBytes, directoryAt] = [32, 40, 48].map((field) => Number(end.readBigUInt64LE(field)));
  return {
    endAt: at,
    count: count as number,
    directoryBytes: directoryBytes as number,
    directoryAt: directoryAt as number,
  };
}

function isEntryAt(directory: Buffer, at: number): boolean {
  return at + entryHeaderBytes <= directory.length && directory.toString('latin1', at, at + 4) === 'PK\x01\x02';
}

function readEntry(directory: Buffer, at: number, shift: number): { entry: ZipEntry; end: number } {
  const nameBytes = directory.readUInt16LE(at + 28);
  const extraBytes = directory.readUInt16LE(at + 30);
  const nameEnd = at + entryHeaderBytes + nameBytes;
  const zip64Values = readZip64Extra(directory.subarray(nameEnd, nameEnd + extraBytes));
  const value = (field: number) => {
    const number = directory.readUInt32LE(at + field);
    return number === 0xffffffff ? (zip64Values.shift() ?? number) : number;
  };
  // The extra field has the values that do not fit into 32 bits, in this order.
  const sizeBytes = value(24);
  const compressedBytes = value(20);
  const headerAt = value(42) + shift;
  return {
    entry: {
      // latin1 gives one character per byte: part names are ASCII, and the length in bytes is needed.
      name: directory.toString('latin1', at + entryHeaderBytes, nameEnd),
      sizeBytes,
      compressedBytes,
      headerAt,
      method: directory.readUInt16LE(at + 10),
      isEncrypted: (directory.readUInt16LE(at + 8) & 1) === 1,
    },
    end: nameEnd + extraBytes + directory.readUInt16LE(at + 32),
  };
}

function readZip64Extra(extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    const field = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2));
    return Array.from({ length: Math.floor(field.length / 8) }, (_, i) => Number(field.readBigUInt64LE(i * 8)));
  }
  return [];
}
