import type { Source } from '@assay/jail/source/source.ts';
import { type Bounded, createReading, type Limits } from '#evidence/bounded.ts';
import { isEncryptedOffice } from '../archive/office-encryption.ts';
import { readBytes } from '../bytes/read-bytes.ts';
import { readImageHeader } from '../image/image-header.ts';
import { declaresEnd, findImageEnd } from '../image/image-walk.ts';

const windowBytes = 64 * 1024;

/** Content of a different kind inside or after the file's own content, or an image that lacks its end. */
export type ForeignContent = Bounded & {
  /** The kind of code that a text file starts with, such as `a shell script`. */
  opening: string | null;
  /** Script code within the first 64 KiB, where metadata is stored. */
  scriptInHead: string | null;
  /** The bytes after the end of an image. */
  appended: { sizeBytes: number; kind: string | null; isPadding: boolean; isFromCamera: boolean } | null;
  /** The file ends before the image does. */
  isImageIncomplete: boolean;
  /** The file is an Office file that is encrypted with a password. */
  isEncryptedOffice: boolean;
};

// Signatures of files that can be opened or run on their own. Matched only where such a file would start.
const signatures: [string, (text: string) => boolean][] = [
  ['a zip archive', (text) => text.startsWith('PK\x03\x04')],
  ['a RAR archive', (text) => text.startsWith('Rar!\x1a\x07')],
  ['a 7-Zip archive', (text) => text.startsWith('7z\xbc\xaf\x27\x1c')],
  ['a gzip archive', (text) => text.startsWith('\x1f\x8b\x08')],
  ['a PDF', (text) => /^%PDF-\d/.test(text)],
  // A text can start with MZ by accident.
  ['a Windows program', (text) => text.startsWith('MZ') && text.slice(0, 4096).includes('PE\0\0')],
  ['a Linux program', (text) => text.startsWith('\x7fELF')],
  [
    'a macOS program',
    (text) => ['\xcf\xfa\xed\xfe', '\xce\xfa\xed\xfe', '\xca\xfe\xba\xbe'].includes(text.slice(0, 4)),
  ],
  ['a legacy Office file', (text) => text.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')],
  ['a shell script', (text) => /^#!\s*\//.test(text)],
  ['PHP code', (text) => /^<\?php\b/i.test(text)],
  ['a web page', (text) => /^<(?:!doctype\s+html|html|script|svg)\b/i.test(text)],
];
const scriptPatterns: [string, RegExp][] = [
  ['PHP code', /<\?php\s/i],
  ['a web script', /<script[\s>]/i],
  ['a web page', /<html[\s>]/i],
];
const textKinds = ['a shell script', 'PHP code', 'a web page'];

/** Reads only the start of the file and the bytes after an image, apart from the search for the image's end. */
export async function readForeignContent(source: Source, limits?: Limits): Promise<ForeignContent> {
  const reading = createReading(limits);
  const head = (await readBytes(source.bytes, 0, windowBytes)).toString('latin1');
  const opening = kindBySignature(openingOf(head));
  const image = await readImageHeader(source);
  const end = image && (await findImageEnd(source, image.format, reading));
  const isEndInFile = end !== null && end <= source.bytes.sizeBytes;
  const isWhole = isEndInFile || reading.hit.includes('imageBytes');
  const inside = head.slice(0, end ?? head.length);
  return {
    opening: opening && textKinds.includes(opening) ? opening : null,
    scriptInHead: scriptPatterns.slice(0, 2).find(([, pattern]) => pattern.test(inside))?.[0] ?? null,
    appended: end !== null && end < source.bytes.sizeBytes ? await readAppended(source, end) : null,
    isImageIncomplete: image !== null && declaresEnd(image.format) && !isWhole,
    isEncryptedOffice: await isEncryptedOffice(source),
    hit: reading.hit,
  };
}

async function readAppended({ bytes }: Source, end: number): Promise<NonNullable<ForeignContent['appended']>> {
  const first = (await readBytes(bytes, end, windowBytes)).toString('latin1');
  const last = (await readBytes(bytes, Math.max(end, bytes.sizeBytes - windowBytes), windowBytes)).toString('latin1');
  const content = trimPadding(first);
  const script = scriptPatterns.find(([, pattern]) => pattern.test(first) || pattern.test(last));
  return {
    sizeBytes: bytes.sizeBytes - end,
    kind: kindBySignature(content) ?? script?.[0] ?? null,
    isPadding: content === '' && trimPadding(last) === '',
    // Phones append a video (motion photo) or their own trailer to a photo.
    isFromCamera: first.slice(0, 256).includes('ftyp') || last.endsWith('SEFT'),
  };
}

function trimPadding(text: string): string {
  let start = 0;
  while (start < text.length && '\0\t\n\r \xff'.includes(text[start] as string)) start++;
  return text.slice(start);
}

function kindBySignature(text: string): string | null {
  return signatures.find(([, matches]) => matches(text))?.[0] ?? null;
}

/** The start of a text in UTF-8 or UTF-16, without byte order mark, comments and the XML declaration. */
function openingOf(head: string): string {
  const utf16 = { '\xff\xfe': 'utf-16le', '\xfe\xff': 'utf-16be' }[head.slice(0, 2)];
  const text = utf16 ? new TextDecoder(utf16).decode(Buffer.from(head, 'latin1')) : head.replace(/^\xef\xbb\xbf/, '');
  let at = 0;
  for (;;) {
    while (/\s/.test(text[at] ?? '')) at++;
    const close = text.startsWith('<!--', at) ? '-->' : text.startsWith('<?xml', at) ? '?>' : null;
    const end = close ? text.indexOf(close, at) : -1;
    if (close === null || end < 0) return text.slice(at);
    at = end + close.length;
  }
}
