import type { Source } from '@assay/jail/source/source.ts';
import { readBytes } from '../bytes/read-bytes.ts';
import { parseXml, readXmlText } from './office-xml.ts';
import { readZipDirectory, type ZipDirectory, zipExtentBytes } from './zip-directory.ts';
import { readZipPart } from './zip-part.ts';

const partsMax = 1000;
const inflatedBytesMax = 32 * 1024 * 1024;
const relationshipsMax = 1000;
const targetCharactersMax = 4096;
const contentTypesName = '[content_types].xml';
const codeRelationship = /vbaProject|macrosheet|control/i;
const macroContentType = /macroEnabled|vbaProject|macrosheet/i;

type Relationship = {
  /** The name of the part that declares the relationship. */
  part: string;
  /** The last path segment of the relationship's type: `hyperlink`, `attachedTemplate`. */
  kind: string;
  target: string;
  isExternal: boolean;
};

export type ZipContent = ZipDirectory & {
  /** Whether the file starts with a zip signature. If not, the archive is appended to something else. */
  beginsFile: boolean;
  /** Entries whose bytes overlap another entry, or are outside the archive. */
  overlapping: string[];
  /** Relationships with external targets or code; all others only connect parts of the package. */
  relationships: Relationship[];
  hasMacroContentType: boolean;
  /** Parts with relationships or content types that could not be read in full. */
  unreadParts: string[];
};

/**
 * Reads the central directory of a zip, even one appended to another file, and the relationships of an Office package.
 */
export async function readZipContent({ bytes, signal }: Source): Promise<ZipContent | null> {
  const directory = await readZipDirectory(bytes);
  if (!directory) return null;
  const content: ZipContent = {
    ...directory,
    beginsFile: (await readBytes(bytes, 0, 4)).toString('latin1') === 'PK\x03\x04',
    overlapping: overlappingNames(directory),
    relationships: [],
    hasMacroContentType: false,
    unreadParts: [],
  };
  const parts = directory.entries.filter(({ name }) => isContentTypes(name) || /\.rels$/i.test(name));
  let inflatedBytes = 0;
  for (const [i, entry] of parts.entries()) {
    signal.throwIfAborted();
    const isWithinLimits = i < partsMax && inflatedBytes < inflatedBytesMax;
    const part = isWithinLimits ? await readZipPart(bytes, entry) : null;
    inflatedBytes += part?.length ?? 0;
    const text = part && readXmlText(part);
    if (text === null || !addPart(content, entry.name, text)) content.unreadParts.push(entry.name);
    content.relationships.length = Math.min(content.relationships.length, relationshipsMax);
  }
  return content;
}

/** Adds what a part declares; returns false if it is not well-formed XML. */
function addPart(content: ZipContent, part: string, text: string): boolean {
  if (isContentTypes(part)) {
    return parseXml(text, {
      onOpen: (_, { ContentType = '' }) => {
        content.hasMacroContentType ||= macroContentType.test(ContentType);
      },
    });
  }
  return parseXml(text, {
    onOpen: (name, { Type = '', Target = '', TargetMode = '' }) => {
      const kind = Type.slice(Type.lastIndexOf('/') + 1);
      const isExternal = TargetMode.trim().toLowerCase() === 'external';
      if (name !== 'Relationship' || !(isExternal || codeRelationship.test(kind))) return;
      content.relationships.push({ part, kind, target: Target.slice(0, targetCharactersMax), isExternal });
    },
  });
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
