import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';

type XmlHandlers = {
  /** `name` has no namespace prefix. */
  onOpen(name: string, attributes: Readonly<Record<string, string>>): void;
  onText?(text: string): void;
  onClose?(): void;
};

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

/**
 * Returns whether the text is well-formed. If not, the handlers have received what precedes the error. Declared
 * entities are not resolved, so they cannot expand.
 */
export function parseXml(text: string, { onOpen, onText, onClose }: XmlHandlers): boolean {
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on('opentag', ({ name, attributes }) => onOpen(name.slice(name.indexOf(':') + 1), attributes));
  if (onText) {
    parser.on('text', onText);
    parser.on('cdata', onText);
  }
  if (onClose) parser.on('closetag', onClose);
  parser.on('error', (error) => {
    throw error;
  });
  try {
    parser.write(text).close();
    return true;
  } catch {
    return false;
  }
}
