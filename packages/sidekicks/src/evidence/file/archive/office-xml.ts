import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';

type XmlHandlers = {
  /** `name` has no namespace prefix. */
  onOpen(name: string, attributes: Readonly<Record<string, string>>): void;
  onText?(text: string): void;
  onClose?(): void;
};

/** Decodes XML in UTF-16, UTF-8 or the encoding that it declares; `null` if that is unknown or the bytes are invalid. */
export function readXmlText(part: Buffer): string | null {
  try {
    return new TextDecoder(encodingOf(part), { fatal: true }).decode(part);
  } catch {
    return null; // TextDecoder throws for an unknown encoding, and for bytes that are invalid in it
  }
}

const utf16Starts: [string, string][] = [
  ['\xff\xfe', 'utf-16le'],
  ['\xfe\xff', 'utf-16be'],
  ['<\0', 'utf-16le'],
  ['\0<', 'utf-16be'],
];
const declaredEncoding = /^(?:\xef\xbb\xbf)?<\?xml\s[^>]{0,200}?\bencoding\s{0,20}=\s{0,20}["']([^"']{0,40})["']/;

function encodingOf(part: Buffer): string {
  const head = part.toString('latin1', 0, 512);
  const utf16 = utf16Starts.find(([mark]) => head.startsWith(mark))?.[1];
  const declared = declaredEncoding.exec(head)?.[1] ?? 'utf-8';
  // A text that was UTF-16 in memory often says so, although it was stored as UTF-8.
  return utf16 ?? (/^(?:utf-?16|ucs-?2)/i.test(declared) ? 'utf-8' : declared);
}

/**
 * Returns whether the text is well-formed. If not, the handlers have received what precedes the error. Declared
 * entities are not resolved, so they cannot expand. A document type is an error: Office files must not have one, and it
 * could add attributes to elements.
 */
export function parseXml(text: string, { onOpen, onText, onClose }: XmlHandlers): boolean {
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on('opentag', ({ name, attributes }) => onOpen(name.slice(name.indexOf(':') + 1), attributes));
  if (onText) {
    parser.on('text', onText);
    parser.on('cdata', onText);
  }
  if (onClose) parser.on('closetag', onClose);
  const fail = (error: unknown) => {
    throw error;
  };
  parser.on('error', fail);
  parser.on('doctype', () => fail(new Error('a document type')));
  try {
    parser.write(text).close();
    return true;
  } catch {
    return false;
  }
}
