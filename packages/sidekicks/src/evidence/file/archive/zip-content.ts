import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import type { RandomAccess } from '@assay/jail/source/random-access.ts';
import type { Source } from '@assay/jail/source/source.ts';
import { readBytes } from '../bytes/read-bytes.ts';
import { type Relationship, readRelationships, readXmlText } from './office-xml.ts';
import { readZipDirectory, readZipEntry, type ZipDirectory, type ZipEntry, zipExtentBytes } from './zip-directory.ts';

const inflate = promisify(inflateRaw);

const partsMax = 1000;
const partBytesMax = { compressed: 256 * 1024, inflated: 1024 * 1024, together: 32 * 1024 * 1024 } as const;
const relationshipsMax = 1000;
const contentTypesName = '[content_types].xml';
const macroContentType = /macroEnabled|vbaProject|macrosheet/i;

export type ZipContent = ZipDirectory & {
  /** Whether the file starts with a zip signature. If not, the archive is appended to something else. */
  beginsFile: boolean;
  /** Entries whose bytes overlap another entry, or are outside the archive. */
  overlapping: string[];
  relationships: (Relationship & { part: string })[];
  hasMacroContentType: boolean;
  /** Parts with relationships or content types that could not be read. */
  unreadParts: string[];
};

/** The central directory of a zip, even one appended to another file, and the relationships of an Office package. */
export async function readZipContent({ bytes, signal }: Source): Promise<ZipContent | null> {
  const directory = await readZipDirectory(bytes);
  if (!directory) return null;
  const content: ZipContent = {
    ...directory,
    beginsFile: (await readBytes(bytes, 0, 4)).toString('latin1') === 'PK\x03\x04',
    overlapping: overlapping(directory),
    relationships: [],
    hasMacroContentType: false,
    unreadParts: [],
  };
  const parts = directory.entries.filter(({ name }) => isContentTypes(name) || /\.rels$/i.test(name));
  let readBytesTotal = 0;
  for (const [i, entry] of parts.entries()) {
    signal.throwIfAborted();
    const isWithinLimits = i < partsMax && readBytesTotal < partBytesMax.together;
    const part = isWithinLimits ? await readPart(bytes, entry) : null;
    readBytesTotal += part?.length ?? 0;
    const text = part && readXmlText(part);
    if (text === null) content.unreadParts.push(entry.name);
    else if (isContentTypes(entry.name)) content.hasMacroContentType ||= macroContentType.test(text);
    else content.relationships.push(...readRelationships(text).map((one) => ({ ...one, part: entry.name })));
    content.relationships.length = Math.min(content.relationships.length, relationshipsMax);
  }
  return content;
}

async function readPart(bytes: RandomAccess, entry: ZipEntry): Promise<Buffer | null> {
  if (entry.isEncrypted || entry.compressedBytes > partBytesMax.compressed) return null;
  const packed = await readZipEntry(bytes, entry);
  if (!packed || entry.method === 0) return packed;
  if (entry.method !== 8) return null;
  try {
    return await inflate(packed, { maxOutputLength: partBytesMax.inflated });
  } catch {
    return null; // damaged, or larger than such a part can be
  }
}

function overlapping({ entries, at }: ZipDirectory): string[] {
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
