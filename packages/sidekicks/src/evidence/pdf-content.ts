import { setImmediate } from 'node:timers/promises';
import { assetBytesMax } from '@assay/contract/limits.ts';
import { decodePdfStream } from './pdf-filters.ts';
import { createPdfLexer, type PdfDictionary, type PdfLexer, type PdfSink, pdfLookBackBytes } from './pdf-lexer.ts';
import { readBytes } from './read-bytes.ts';
import type { Source } from './source.ts';

const headerWithinBytes = 1024; // where readers look for it
const windowBytes = 256 * 1024;
const objectStreamsMax = 10_000;
const objectStreamBytesMax = 16 * 1024 * 1024;
const inflatedBytesMax = { stream: 16 * 1024 * 1024, file: 64 * 1024 * 1024 } as const;

/** What makes a dictionary one of these. */
const marks = {
  javascript: (d) =>
    d.keys.includes('JS') && d.keys.includes('S') && [undefined, 'JavaScript', 'Rendition'].includes(s(d)),
  launch: (d) => s(d) === 'Launch' && !isStructure(d),
  submitForm: (d) => s(d) === 'SubmitForm' && !isStructure(d),
  importData: (d) => s(d) === 'ImportData' && !isStructure(d),
  automatic: (d) => d.keys.includes('OpenAction') || d.keys.includes('AA'),
  embeddedFile: (d) => d.keys.includes('EF') && ['F', 'UF', 'Type'].some((key) => d.keys.includes(key)),
  embeddedStream: (d) => d.nameOf('Type') === 'EmbeddedFile',
  richMedia: (d) => d.nameOf('Subtype') === 'RichMedia' || s(d) === 'RichMediaExecute',
  xfa: (d) => d.keys.includes('XFA'),
  encryption: (d) => d.keys.includes('Encrypt'),
} as const satisfies Record<string, (dictionary: PdfDictionary) => boolean>;

export type PdfMark = keyof typeof marks;
const markEntries = Object.entries(marks) as [PdfMark, (dictionary: PdfDictionary) => boolean][];

const keysAsked = new Set([
  ...['Type', 'Subtype', 'S', 'JS', 'OpenAction', 'AA', 'EF', 'F', 'UF', 'XFA', 'Encrypt', 'First', 'N', 'Filter'],
  'DecodeParms',
]);

// An action's kind may stand in an object of its own, which is then only this name.
const bareMarks: Record<string, PdfMark> = {
  JS: 'javascript',
  JavaScript: 'javascript',
  Launch: 'launch',
  SubmitForm: 'submitForm',
  ImportData: 'importData',
  RichMedia: 'richMedia',
};

export type PdfContent = {
  headerAt: number;
  objectCount: number;
  /** How often each was met, outside and inside object streams. */
  counts: Record<PdfMark, number>;
  /** Object streams that could not be looked into. */
  unreadStreams: number;
  /** Object streams that grow beyond what is inflated here. */
  bombs: number;
  isWhole: boolean;
};

/** What a PDF can do by itself; `null` when there is no PDF header where readers look for one. */
export async function readPdfContent(source: Source): Promise<PdfContent | null> {
  const { bytes, signal } = source;
  const headerAt = (await readBytes(bytes, 0, headerWithinBytes + 8)).toString('latin1').search(/%PDF-\d/);
  if (headerAt < 0) return null;

  const counts = Object.fromEntries(markEntries.map(([mark]) => [mark, 0])) as Record<PdfMark, number>;
  const content: PdfContent = { headerAt, objectCount: 0, counts, unreadStreams: 0, bombs: 0, isWhole: true };
  const objectStreams: { dictionary: PdfDictionary; begin: number; end: number }[] = [];
  const sink = createSink(content, (dictionary, begin, end) => {
    if (!isObjectStream(dictionary)) return;
    if (objectStreams.length < objectStreamsMax) objectStreams.push({ dictionary, begin, end });
    else content.unreadStreams++;
  });

  const scanned = Math.min(bytes.sizeBytes, assetBytesMax.document);
  content.isWhole = scanned === bytes.sizeBytes;
  await feedWindows(createPdfLexer(sink, keysAsked), scanned, signal, (at, length) => readBytes(bytes, at, length));

  let inflatedBytes = 0;
  for (const { dictionary, begin, end } of objectStreams) {
    signal.throwIfAborted();
    const room = Math.min(inflatedBytesMax.stream, inflatedBytesMax.file - inflatedBytes);
    if (end - begin > objectStreamBytesMax || room <= 0) {
      content.unreadStreams++;
      continue;
    }
    const { decoded, decodedBytes } = await decodePdfStream(
      await readBytes(bytes, begin, end - begin),
      dictionary,
      room,
    );
    inflatedBytes += decodedBytes;
    if (decoded === 'unread') content.unreadStreams++;
    else if (decoded === 'bomb') content.bombs++;
    else await readObjects(decoded, content, signal);
  }
  return content;
}

/** The strict way for a true count, the loose one for what hides behind an open bracket; the larger counts. */
async function readObjects(decoded: Buffer, content: PdfContent, signal: AbortSignal): Promise<void> {
  const [strict, loose] = [{ ...content.counts }, { ...content.counts }];
  for (const counts of [strict, loose]) {
    const lexer = createPdfLexer(createSink({ objectCount: 0, counts }), keysAsked, counts === loose);
    await feedWindows(lexer, decoded.length, signal, async (at, length) => {
      await setImmediate(); // others have their turn between two windows
      return decoded.subarray(at, at + length);
    });
  }
  for (const [mark] of markEntries) content.counts[mark] = Math.max(strict[mark], loose[mark]);
}

async function feedWindows(
  lexer: PdfLexer,
  sizeBytes: number,
  signal: AbortSignal,
  read: (at: number, lengthBytes: number) => Promise<Buffer>,
): Promise<void> {
  for (let at = 0; at < sizeBytes; at += windowBytes) {
    signal.throwIfAborted();
    const back = Math.min(at, pdfLookBackBytes);
    lexer.feed(await read(at - back, back + Math.min(windowBytes, sizeBytes - at)), back, at - back);
  }
  lexer.end(sizeBytes);
}

function createSink(
  content: Pick<PdfContent, 'counts' | 'objectCount'>,
  stream: PdfSink['stream'] = () => {},
): PdfSink {
  return {
    object: () => {
      content.objectCount++;
    },
    dictionary: (dictionary) => {
      for (const [mark, isMet] of markEntries) if (isMet(dictionary)) content.counts[mark]++;
    },
    bareName: (name) => {
      const mark = Object.hasOwn(bareMarks, name) ? bareMarks[name] : undefined;
      if (mark) content.counts[mark]++;
    },
    stream,
  };
}

function isObjectStream(dictionary: PdfDictionary): boolean {
  const type = dictionary.nameOf('Type');
  return type === 'ObjStm' || (dictionary.keys.includes('First') && dictionary.keys.includes('N') && type !== 'XRef');
}

function s(dictionary: PdfDictionary): string | undefined {
  return dictionary.nameOf('S');
}

// A paragraph style may be called Launch; its structure element then has /S /Launch.
function isStructure(dictionary: PdfDictionary): boolean {
  return dictionary.nameOf('Type') === 'StructElem';
}
