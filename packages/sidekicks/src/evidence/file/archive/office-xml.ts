import { TextDecoder } from 'node:util';

export type Relationship = {
  /** The last path segment of its type: `hyperlink`, `attachedTemplate`. */
  kind: string;
  target: string;
  isExternal: boolean;
};

const elementCharactersMax = 16 * 1024;
// Matches a name only from its start, and bounds every repetition, so that hostile text takes linear time.
const attribute = /(?<![\w:.-])([\w:.-]{1,64})\s{0,64}=\s{0,64}(?:"([^"]*)"|'([^']*)')/g;
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Decodes XML in UTF-8, UTF-16LE or UTF-16BE; `null` if it is in another encoding. */
export function readXmlText(part: Buffer): string | null {
  const encoding = encodings.find(([mark]) => part.toString('latin1', 0, mark.length) === mark)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(part);
  } catch {
    return null; // TextDecoder throws for bytes that are invalid in this encoding
  }
}

const encodings: [string, string][] = [
  ['\xff\xfe', 'utf-16le'],
  ['\xfe\xff', 'utf-16be'],
  ['<\0', 'utf-16le'],
  ['\0<', 'utf-16be'],
];

/** The relationships with external targets or code; the others only connect parts of the package. */
export function readRelationships(text: string): Relationship[] {
  return text
    .split('<') // not allowed in attributes, so each piece has at most one element
    .filter((piece) => /^(?:[\w.-]{1,64}:)?Relationship\s/.test(piece.slice(0, 128)))
    .map((piece) => {
      const attributes = new Map(
        [...piece.slice(0, elementCharactersMax).matchAll(attribute)].map(([, name, double, single]) => [
          name as string,
          unescapeXml(double ?? single ?? ''),
        ]),
      );
      return {
        kind: (attributes.get('Type') ?? '').split('/').at(-1) ?? '',
        target: attributes.get('Target') ?? '',
        isExternal: attributes.get('TargetMode')?.trim().toLowerCase() === 'external',
      };
    })
    .filter(({ isExternal, kind }) => isExternal || /vbaProject|macrosheet|control/i.test(kind));
}

export function unescapeXml(value: string): string {
  return value.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{1,8}));/gi, (whole, decimal, hex, name) => {
    if (name) return Object.hasOwn(entities, name) ? (entities[name] as string) : whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
