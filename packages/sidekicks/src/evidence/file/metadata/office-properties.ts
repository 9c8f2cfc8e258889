import type { NotExaminedReason } from '@assay/contract/schemas/coverage.ts';
import type { Source } from '@assay/jail/source/source.ts';
import type { Reading } from '#evidence/bounded.ts';
import { parseXml, readXmlText } from '../archive/office-xml.ts';
import type { ZipDirectory } from '../archive/zip-directory.ts';
import { readZipPart } from '../archive/zip-part.ts';
import { cutValue, type MetadataReport, type MetadataTag } from './metadata-report.ts';
import { packageRelationshipsName, partKey, propertyPartsOf } from './property-parts.ts';

/** Names are compared with known ones, none of which is as long. */
const nameCharactersMax = 100;

/** Reads the document properties of a docx, xlsx or pptx. */
export async function readOfficeProperties(
  { bytes, signal }: Source,
  directory: ZipDirectory,
  reading: Reading,
): Promise<MetadataReport> {
  const report: MetadataReport = { reader: 'Office properties', tags: [], track: null, complaints: [] };
  const complain = (text: string, reason: NotExaminedReason) => report.complaints.push({ text, reason });
  if (directory.isDamaged) complain('The archive directory is damaged.', 'damaged');
  const propertyParts = propertyPartsOf(await readPackageRelationships(bytes, directory, reading));
  for (const entry of directory.entries) {
    const part = propertyParts.get(partKey(entry.name));
    if (!part) continue;
    // A package has one of each, but the directory of a hostile file can list the same part thousands of times.
    if (!reading.take('propertyParts')) break;
    signal.throwIfAborted();
    const content = await readZipPart(bytes, entry, reading);
    if (content === 'limit_reached') continue;
    const text = typeof content === 'string' ? null : readXmlText(content);
    if (text === null) {
      const reason = typeof content === 'string' ? content : 'unsupported';
      complain(`The part docProps/${part}.xml cannot be read.`, reason);
      continue;
    }
    const { tags, isWellFormed } = readElements(text, part, reading);
    report.tags.push(...tags);
    if (!isWellFormed) complain(`The part docProps/${part}.xml is not well-formed XML.`, 'damaged');
  }
  return report;
}

async function readPackageRelationships(bytes: Source['bytes'], { entries }: ZipDirectory, reading: Reading) {
  const entry = entries.find(({ name }) => partKey(name) === packageRelationshipsName);
  const content = entry ? await readZipPart(bytes, entry, reading) : null;
  return typeof content === 'string' ? null : content;
}

/**
 * `<cp:lastModifiedBy>Ann</cp:lastModifiedBy>` → LastModifiedBy: Ann. A custom property has the name that its author
 * gave it. If a part is not well-formed, the elements before the error are returned.
 */
function readElements(text: string, part: string, reading: Reading): { tags: MetadataTag[]; isWellFormed: boolean } {
  const tags: MetadataTag[] = [];
  const open: { name: string; value: string }[] = [];
  let customName = '';
  const addTag = ({ name, value }: { name: string; value: string }) => {
    const trimmed = value.trim();
    if (trimmed === '' || !reading.take('properties')) return;
    tags.push({ family: 'Office', group: part, isEmbedded: false, name, value: cutValue(trimmed, reading) });
  };
  const isWellFormed = parseXml(text, {
    onOpen: (element, attributes) => {
      if (element === 'property') customName = (attributes.name ?? '').slice(0, nameCharactersMax);
      open.push({ name: customName || `${element.charAt(0).toUpperCase()}${element.slice(1)}`, value: '' });
    },
    onText: (more) => {
      const element = open.at(-1);
      if (element) element.value += more;
    },
    onClose: () => {
      const closed = open.pop();
      if (closed) addTag(closed);
    },
  });
  open.forEach(addTag); // the text of an unclosed tag is kept too
  return { tags, isWellFormed };
}
