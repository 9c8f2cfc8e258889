import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import type { MetadataReport, MetadataTag } from './metadata-report.ts';
import { readXmlText, unescapeXml } from './office-xml.ts';
import type { RandomAccess } from './random-access.ts';
import type { Source } from './source.ts';
import { readZipDirectory, readZipEntry, type ZipEntry } from './zip-directory.ts';

const inflate = promisify(inflateRaw);

/** The parts of a package in which Office keeps what it knows of a document → what we call them. */
const parts: ReadonlyMap<string, string> = new Map([
  ['docprops/core.xml', 'core'],
  ['docprops/app.xml', 'app'],
  ['docprops/custom.xml', 'custom'],
]);
const partBytesMax = { compressed: 256 * 1024, inflated: 1024 * 1024 } as const;
/** A package has one of each; a directory can name the same one many thousand times. */
const partsMax = 10;
const tagsMax = 1000;
const valueCharactersMax = 4096;

/** The document properties of a docx, xlsx or pptx; `null` where the file has no table of contents. */
export async function readOfficeProperties({ bytes, signal }: Source): Promise<MetadataReport | null> {
  const directory = await readZipDirectory(bytes);
  if (!directory) return null;
  const report: MetadataReport = {
    reader: 'Office properties',
    tags: [],
    track: null,
    complaints: [],
    isWhole: directory.isWhole,
  };
  const found = directory.entries.flatMap((entry) => {
    const part = parts.get(entry.name.toLowerCase().replaceAll('\\', '/'));
    return part ? { entry, part } : [];
  });
  for (const { entry, part } of found.slice(0, partsMax)) {
    signal.throwIfAborted();
    const text = await readPart(bytes, entry);
    if (text === null) report.complaints.push(`The part docProps/${part}.xml cannot be read.`);
    else report.tags = [...report.tags, ...readElements(text, part)];
  }
  report.isWhole &&= found.length <= partsMax && report.tags.length <= tagsMax;
  report.tags.length = Math.min(report.tags.length, tagsMax);
  return report;
}

async function readPart(bytes: RandomAccess, entry: ZipEntry): Promise<string | null> {
  if (entry.isEncrypted || entry.compressedBytes > partBytesMax.compressed) return null;
  const packed = await readZipEntry(bytes, entry);
  if (!packed || entry.method === 0) return packed && readXmlText(packed);
  if (entry.method !== 8) return null;
  try {
    return readXmlText(await inflate(packed, { maxOutputLength: partBytesMax.inflated }));
  } catch {
    return null; // damaged, or larger than such a part ever is
  }
}

/** `<cp:lastModifiedBy>Ann</cp:lastModifiedBy>` → LastModifiedBy: Ann. A custom property goes by the name it was given. */
function readElements(text: string, part: string): MetadataTag[] {
  const tags: MetadataTag[] = [];
  let given: string | null = null;
  // No text may hold a `<`, so each piece is one element's tag and the text behind it.
  for (const piece of text.split('<')) {
    const end = piece.indexOf('>');
    const element = /^(?:[\w.-]{1,64}:)?([\w.-]{1,64})/.exec(piece)?.[1];
    if (!element || end < 0) continue;
    if (element === 'property') given = unescapeXml(/\sname="([^"]{1,100})"/.exec(piece.slice(0, end))?.[1] ?? '');
    const value = unescapeXml(piece.slice(end + 1, end + 1 + valueCharactersMax)).trim();
    if (value === '') continue;
    const name = given || `${element.charAt(0).toUpperCase()}${element.slice(1)}`;
    tags.push({ family: 'Office', group: part, isEmbedded: false, name, value });
  }
  return tags;
}
