import { parseXml, readXmlText } from '../archive/office-xml.ts';

/** The parts with document properties by the names that Office gives them, and the group of their tags. */
const usualParts = [
  ['docprops/core.xml', 'core'],
  ['docprops/app.xml', 'app'],
  ['docprops/custom.xml', 'custom'],
] as const;
/** The last segment of the relationships that name them: a program may give them any name, and .NET does. */
const groups: Readonly<Record<string, string>> = {
  'core-properties': 'core',
  'extended-properties': 'app',
  'custom-properties': 'custom',
};

export const packageRelationshipsName = '_rels/.rels';

/** Names of parts are compared without case, and old programs write backslashes. */
export const partKey = (name: string) => name.toLowerCase().replaceAll('\\', '/').replace(/^\/+/, '');

/** The parts with document properties and their groups; what the package says about them if it can be read. */
export function propertyPartsOf(relationships: Buffer | null): Map<string, string> {
  const parts = new Map<string, string>(usualParts);
  const text = relationships && readXmlText(relationships);
  if (text) {
    parseXml(text, {
      onOpen: (name, { Type = '', Target = '' }) => {
        const group = groups[Type.slice(Type.lastIndexOf('/') + 1).trim()];
        if (name === 'Relationship' && group) parts.set(partKey(decode(Target.trim())), group);
      },
    });
  }
  return parts;
}

function decode(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target; // not an escaped name
  }
}
