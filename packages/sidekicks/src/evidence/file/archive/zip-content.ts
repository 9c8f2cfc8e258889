import type { NotExaminedReason } from '@assay/contract/schemas/coverage.ts';
import type { RandomAccess } from '@assay/jail/source/random-access.ts';
import type { Source } from '@assay/jail/source/source.ts';
import { type Bounded, type BoundName, createReading, type Limits, type Reading } from '#evidence/bounded.ts';
import { accessTo, readBytes } from '../bytes/read-bytes.ts';
import { isEncryptedOffice } from './office-encryption.ts';
import { readXmlText } from './office-xml.ts';
import { isMacroContentType, type Relationship, readContentTypes, readRelationships } from './relationships.ts';
import { readZipDirectory, type ZipDirectory, zipExtentBytes } from './zip-directory.ts';
import { inflateZipEntry, readZipPart } from './zip-part.ts';

const contentTypesName = '[content_types].xml';
/** Charts and slides embed files of these types for their data. They are examined like the document itself. */
export const nestedPackageName = /\.(?:xlsx|docx|pptx)$/i;

export type UnreadPart = { name: string; reason: NotExaminedReason };

export type ZipPackage = ZipDirectory & {
  /** Entries whose bytes overlap another entry, or are outside the archive. */
  overlapping: string[];
  /** Relationships that load external content or name code; all others only connect parts, or are links. */
  relationships: Relationship[];
  hasMacroContentType: boolean;
  /** Parts with relationships or content types, and embedded documents, that could not be read in full. */
  unreadParts: UnreadPart[];
  nested: { name: string; content: ZipPackage }[];
};

export type ZipContent = ZipPackage &
  Bounded & {
    /** Whether the file starts with a zip signature. If not, the archive is appended to something else. */
    beginsFile: boolean;
  };

/**
 * Reads the central directory of a zip, even one appended to another file, the relationships of an Office package and
 * the Office packages embedded in it.
 */
export async function readZipContent({ bytes, signal }: Source, limits?: Limits): Promise<ZipContent | null> {
  const reading = createReading(limits);
  const content = await readPackage(bytes, signal, reading, 1);
  const beginsFile = (await readBytes(bytes, 0, 4)).toString('latin1') === 'PK\x03\x04';
  return content && { ...content, beginsFile, hit: reading.hit };
}

async function readPackage(
  bytes: RandomAccess,
  signal: AbortSignal,
  reading: Reading,
  depth: number,
): Promise<ZipPackage | null> {
  const directory = await readZipDirectory(bytes, reading);
  if (!directory) return null;
  const content: ZipPackage = {
    ...directory,
    overlapping: overlappingNames(directory),
    relationships: [],
    hasMacroContentType: false,
    unreadParts: [],
    nested: [],
  };
  for (const entry of directory.entries) {
    signal.throwIfAborted();
    const { name } = entry;
    const isPart = isContentTypes(name) || /\.rels$/i.test(name);
    if (!isPart && !nestedPackageName.test(name)) continue;
    const reason = await (isPart ? readPart : readNested)({ content, entry, bytes, signal, reading, depth });
    if (reason) content.unreadParts.push({ name, reason });
  }
  return content;
}

type EntryToRead = {
  content: ZipPackage;
  entry: ZipDirectory['entries'][number];
  bytes: RandomAccess;
  signal: AbortSignal;
  reading: Reading;
  depth: number;
};

/** Adds what a part declares; returns why it could not be read in full. */
async function readPart({ content, entry, bytes, reading }: EntryToRead): Promise<NotExaminedReason | null> {
  if (!reading.take('relationshipParts')) return 'limit_reached';
  const bounds = { each: 'zipPartBytes', together: 'relationshipBytes' } as const;
  const part = await readWithin(bounds, reading, () => readZipPart(bytes, entry, reading));
  if (typeof part === 'string') return part;
  const text = readXmlText(part);
  if (text === null) return 'unsupported';
  if (isContentTypes(entry.name)) {
    const types = readContentTypes(text);
    content.hasMacroContentType ||= types.found.some(isMacroContentType);
    return types.isWellFormed ? null : 'damaged';
  }
  const { found, isWellFormed } = readRelationships(text, entry.name);
  for (const relationship of found) {
    if (!reading.take('relationships')) return 'limit_reached';
    content.relationships.push(relationship);
  }
  return isWellFormed ? null : 'damaged';
}

/** Adds an embedded Office package; returns why it could not be read. */
async function readNested(entryToRead: EntryToRead): Promise<NotExaminedReason | null> {
  const { content, entry, bytes, signal, reading, depth } = entryToRead;
  if (!reading.accepts('nestedDepth', depth) || !reading.take('nestedPackages')) return 'limit_reached';
  const bounds = { each: 'nestedPackageBytes', together: 'nestedBytes' } as const;
  const inner = await readWithin(bounds, reading, () => inflateZipEntry(bytes, entry, reading, bounds.each));
  if (typeof inner === 'string') return inner;
  const nested = await readPackage(accessTo(inner), signal, reading, depth + 1);
  if (!nested) return (await isEncryptedOffice({ bytes: accessTo(inner) })) ? 'encrypted' : 'damaged';
  content.nested.push({ name: entry.name, content: nested });
  return null;
}

/** Reads nothing more once all parts together have reached their bound. Inflating in vain costs as much as the largest. */
async function readWithin(
  { each, together }: { each: BoundName; together: BoundName },
  reading: Reading,
  read: () => Promise<Buffer | NotExaminedReason>,
): Promise<Buffer | NotExaminedReason> {
  if (reading.hit.includes(together)) return 'limit_reached';
  const part = await read();
  if (part === 'encrypted' || part === 'unsupported') return part;
  const isWithin = reading.take(together, typeof part === 'string' ? reading.left(each) : part.length);
  return isWithin || typeof part === 'string' ? part : 'limit_reached';
}

function overlappingNames({ entries, at }: ZipDirectory): string[] {
  const byOffset = entries.toSorted((a, b) => a.headerAt - b.headerAt);
  let coveredTo = 0;
  const found: string[] = [];
  for (const entry of byOffset) {
    const end = entry.headerAt + zipExtentBytes(entry);
    if (entry.headerAt < coveredTo || end > at) found.push(entry.name);
    coveredTo = Math.max(coveredTo, end);
  }
  return found;
}

function isContentTypes(name: string): boolean {
  return name.toLowerCase() === contentTypesName;
}
