import type { Source } from '@assay/jail/source/source.ts';
import { parseXml, readXmlText } from '../archive/office-xml.ts';
import { readZipDirectory } from '../archive/zip-directory.ts';
import { readZipPart } from '../archive/zip-part.ts';
import type { MetadataReport, MetadataTag } from './metadata-report.ts';

/** The parts of an Office package that have document properties, with the group of their tags. */
const propertyParts: ReadonlyMap<string, string> = new Map([
  ['docprops/core.xml', 'core'],
  ['docprops/app.xml', 'app'],
  ['docprops/custom.xml', 'custom'],
]);
/** A package has one of each, but the directory of a hostile file can list the same part thousands of times. */
const partsMax = 10;
const tagsMax = 1000;
const valueCharactersMax = 4096;
const nameCharactersMax = 100;

/** Reads the document properties of a docx, xlsx or pptx; `null` if the file has no zip directory. */
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
    const part = propertyParts.get(entry.name.toLowerCase().replaceAll('\\', '/'));
    return part ? { entry, part } : [];
  });
  for (const { entry, part } of found.slice(0, partsMax)) {
    signal.throwIfAborted();
    const content = await readZipPart(bytes, entry);
    const text = content && readXmlText(content);
    if (text === null) report.complaints.push(`The part docProps/${part}.xml cannot be read.`);
    else {
      const { tags, isWellFormed } = readElements(text, part);
      report.tags.push(...tags.slice(0, tagsMax + 1));
      if (!isWellFormed) report.complaints.push(`The part docProps/${part}.xml is not well-formed XML.`);
    }
  }
  report.isWhole &&= found.length <= partsMax && report.tags.length <= tagsMax;
  report.tags.length = Math.min(report.tags.length, tagsMax);
  return report;
}

/**
 * `<cp:lastModifiedBy>Ann</cp:lastModifiedBy>` → LastModifiedBy: Ann. A custom property has the name that its author
 * gave it. If a part is not well-formed, the elements before the error are returned.
 */
function readElements(text: string, part: string): { tags: MetadataTag[]; isWellFormed: boolean } {
  const tags: MetadataTag[] = [];
  const open: { name: string; value: string }[] = [];
  let customName = '';
  const addTag = ({ name, value }: { name: string; value: string }) => {
    if (value.trim() !== '') tags.push({ family: 'Office', group: part, isEmbedded: false, name, value: value.trim() });
  };
  const isWellFormed = parseXml(text, {
    onOpen: (element, attributes) => {
      if (element === 'property') customName = (attributes.name ?? '').slice(0, nameCharactersMax);
      open.push({ name: customName || `${element.charAt(0).toUpperCase()}${element.slice(1)}`, value: '' });
    },
    onText: (more) => {
      const element = open.at(-1);
      if (element) element.value = (element.value + more).slice(0, valueCharactersMax);
    },
    onClose: () => {
      const closed = open.pop();
      if (closed) addTag(closed);
    },
  });
  open.forEach(addTag); // an unclosed tag must not hide its text
  return { tags, isWellFormed };
}
