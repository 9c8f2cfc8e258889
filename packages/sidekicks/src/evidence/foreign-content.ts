import { readImageHeader } from './image-header.ts';
import { findImageEnd } from './image-walk.ts';
import { readBytes } from './read-bytes.ts';
import type { Source } from './source.ts';

const windowBytes = 64 * 1024;

/** Content of another kind inside or behind a file. */
export type ForeignContent = {
  /** What a text begins as, such as `a shell script`. */
  opening: string | null;
  /** Script code within the first 64 KiB, where metadata stand. */
  scriptInHead: string | null;
  /** What follows the end of an image. */
  appended: { sizeBytes: number; kind: string | null; isPadding: boolean; isFromCamera: boolean } | null;
};

// Heads of what can be opened or run by itself. Only looked for where a file of that kind would begin.
const heads: [string, (text: string) => boolean][] = [
  ['a zip archive', (text) => text.startsWith('PK\x03\x04')],
  ['a RAR archive', (text) => text.startsWith('Rar!\x1a\x07')],
  ['a 7-Zip archive', (text) => text.startsWith('7z\xbc\xaf\x27\x1c')],
  ['a gzip archive', (text) => text.startsWith('\x1f\x8b\x08')],
  ['a PDF', (text) => /^%PDF-\d/.test(text)],
  // Two letters alone would come by accident.
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
const scripts: [string, RegExp][] = [
  ['PHP code', /<\?php\s/i],
  ['a web script', /<script[\s>]/i],
  ['a web page', /<html[\s>]/i],
];
const textKinds = ['a shell script', 'PHP code', 'a web page'];

/** Reads the head and what lies behind the end of an image; never more than a few windows beside the image's walk. */
export async function readForeignContent(source: Source): Promise<ForeignContent> {
  const head = (await readBytes(source.bytes, 0, windowBytes)).toString('latin1');
  const opening = headOf(withoutMark(head));
  const end = await findEnd(source);
  const inside = head.slice(0, end ?? head.length);
  return {
    opening: opening && textKinds.includes(opening) ? opening : null,
    scriptInHead: scripts.slice(0, 2).find(([, pattern]) => pattern.test(inside))?.[0] ?? null,
    appended: end !== null && end < source.bytes.sizeBytes ? await readAppended(source, end) : null,
  };
}

async function findEnd(source: Source): Promise<number | null> {
  const image = await readImageHeader(source);
  return image && findImageEnd(source, image.format);
}

async function readAppended({ bytes }: Source, end: number): Promise<NonNullable<ForeignContent['appended']>> {
  const first = (await readBytes(bytes, end, windowBytes)).toString('latin1');
  const last = (await readBytes(bytes, Math.max(end, bytes.sizeBytes - windowBytes), windowBytes)).toString('latin1');
  const begun = withoutPadding(first);
  const script = scripts.find(([, pattern]) => pattern.test(first) || pattern.test(last));
  return {
    sizeBytes: bytes.sizeBytes - end,
    kind: headOf(begun) ?? script?.[0] ?? null,
    isPadding: begun === '' && withoutPadding(last) === '',
    // Phones append a film (motion photo) or their own trailer to a photograph.
    isFromCamera: first.slice(0, 256).includes('ftyp') || last.endsWith('SEFT'),
  };
}

function withoutPadding(text: string): string {
  let begin = 0;
  while (begin < text.length && '\0\t\n\r \xff'.includes(text[begin] as string)) begin++;
  return text.slice(begin);
}

function headOf(text: string): string | null {
  return heads.find(([, isBegunBy]) => isBegunBy(text))?.[0] ?? null;
}

function withoutMark(head: string): string {
  return head.replace(/^\xef\xbb\xbf/, '').trimStart();
}
