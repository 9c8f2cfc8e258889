import { setImmediate } from 'node:timers/promises';
import type { Source } from '@assay/jail/source/source.ts';
import { type Bounded, bounds, createReading, type Limits, type Reading } from '#evidence/bounded.ts';
import { readBytes } from '../bytes/read-bytes.ts';
import { decodePdfStream } from './pdf-filters.ts';
import { type PdfDictionary, PdfLexer, type PdfSink, pdfLookBackBytes } from './pdf-lexer.ts';

const headerSearchBytes = 1024; // readers accept the header within this range
const windowBytes = 256 * 1024;
/** Object streams that expand beyond these are reported as bombs. */
export const inflatedBytesMax = { stream: bounds.pdfInflatedStreamBytes.max, file: bounds.pdfInflatedBytes.max };

/** For each feature, a function that tells whether a dictionary has it. */
const featureTests = {
  javascript: (d) =>
    d.keys.includes('JS') && d.keys.includes('S') && [undefined, 'JavaScript', 'Rendition'].includes(actionType(d)),
  launch: (d) => actionType(d) === 'Launch' && !isStructure(d),
  submitForm: (d) => actionType(d) === 'SubmitForm' && !isStructure(d),
  importData: (d) => actionType(d) === 'ImportData' && !isStructure(d),
  automatic: (d) => d.keys.includes('OpenAction') || d.keys.includes('AA'),
  embeddedFile: (d) => d.keys.includes('EF') && ['F', 'UF', 'Type'].some((key) => d.keys.includes(key)),
  embeddedStream: (d) => d.nameOf('Type') === 'EmbeddedFile',
  richMedia: (d) => d.nameOf('Subtype') === 'RichMedia' || actionType(d) === 'RichMediaExecute',
  xfa: (d) => d.keys.includes('XFA'),
  encryption: (d) => d.keys.includes('Encrypt'),
} as const satisfies Record<string, (dictionary: PdfDictionary) => boolean>;

export type PdfFeature = keyof typeof featureTests;
const featureEntries = Object.entries(featureTests) as [PdfFeature, (dictionary: PdfDictionary) => boolean][];

const requestedKeys = new Set([
  ...['Type', 'Subtype', 'S', 'JS', 'OpenAction', 'AA', 'EF', 'F', 'UF', 'XFA', 'Encrypt', 'First', 'N', 'Filter'],
  'DecodeParms',
]);

// The type of an action can be a separate object that consists only of its name.
const bareNameFeatures: Record<string, PdfFeature> = {
  JS: 'javascript',
  JavaScript: 'javascript',
  Launch: 'launch',
  SubmitForm: 'submitForm',
  ImportData: 'importData',
  RichMedia: 'richMedia',
};

export type PdfContent = Bounded & {
  headerAt: number;
  objectCount: number;
  /** Occurrences of each feature, outside and inside object streams. */
  counts: Record<PdfFeature, number>;
  /** Object streams that could not be read, by the reason. */
  unreadStreams: { damaged: number; unsupported: number };
  /** Object streams that inflate beyond the limit. */
  bombs: number;
};

type ContentSoFar = Omit<PdfContent, 'hit'>;
type ObjectStream = { dictionary: PdfDictionary; start: number; end: number };

/** Reads the active content of a PDF; `null` if there is no PDF header where readers accept one. */
export async function readPdfContent(source: Source, limits?: Limits): Promise<PdfContent | null> {
  const { bytes, signal } = source;
  const headerAt = (await readBytes(bytes, 0, headerSearchBytes + 8)).toString('latin1').search(/%PDF-\d/);
  if (headerAt < 0) return null;

  const reading = createReading(limits);
  const counts = Object.fromEntries(featureEntries.map(([feature]) => [feature, 0])) as Record<PdfFeature, number>;
  const unreadStreams = { damaged: 0, unsupported: 0 };
  const content: ContentSoFar = { headerAt, objectCount: 0, counts, unreadStreams, bombs: 0 };
  const objectStreams: ObjectStream[] = [];
  const sink = createSink(content, reading, (dictionary, start, end) => {
    if (isObjectStream(dictionary) && reading.take('pdfObjectStreams')) objectStreams.push({ dictionary, start, end });
  });

  reading.accepts('pdfBytes', bytes.sizeBytes);
  const scanned = Math.min(bytes.sizeBytes, reading.left('pdfBytes'));
  const lexer = new PdfLexer(sink, requestedKeys, reading.left('pdfDepth'));
  await feedWindows(lexer, scanned, signal, (at, length) => readBytes(bytes, at, length));
  for (const stream of objectStreams) {
    signal.throwIfAborted();
    await readObjectStream(stream, content, source, reading);
  }
  return { ...content, hit: reading.hit };
}

async function readObjectStream(
  { dictionary, start, end }: ObjectStream,
  content: ContentSoFar,
  { bytes, signal }: Source,
  reading: Reading,
): Promise<void> {
  if (!reading.accepts('pdfObjectStreamBytes', end - start)) return;
  if (!reading.accepts('pdfFilters', dictionary.filters.length)) return;
  const ofStream = reading.left('pdfInflatedStreamBytes');
  const ofFile = reading.left('pdfInflatedBytes');
  if (ofFile <= 0) return reading.exceed('pdfInflatedBytes');
  const packed = await readBytes(bytes, start, end - start);
  const { decoded, decodingCostBytes } = await decodePdfStream(packed, dictionary, Math.min(ofStream, ofFile));
  reading.take('pdfInflatedBytes', Math.min(ofFile, decodingCostBytes));
  if (decoded === 'bomb') {
    content.bombs++;
    reading.exceed(ofFile < ofStream ? 'pdfInflatedBytes' : 'pdfInflatedStreamBytes');
  } else if (typeof decoded === 'string') content.unreadStreams[decoded]++;
  else await readObjects(decoded, content, reading, signal);
}

/** Strict mode counts correctly; loose mode finds what an unclosed bracket hides. The higher count is used. */
async function readObjects(
  decoded: Buffer,
  content: ContentSoFar,
  reading: Reading,
  signal: AbortSignal,
): Promise<void> {
  const [strict, loose] = [{ ...content.counts }, { ...content.counts }];
  for (const counts of [strict, loose]) {
    const sink = createSink({ objectCount: 0, counts }, reading);
    const lexer = new PdfLexer(sink, requestedKeys, reading.left('pdfDepth'), counts === loose);
    await feedWindows(lexer, decoded.length, signal, async (at, length) => {
      await setImmediate(); // lets other work run between two windows
      return decoded.subarray(at, at + length);
    });
  }
  for (const [feature] of featureEntries) content.counts[feature] = Math.max(strict[feature], loose[feature]);
}

async function feedWindows(
  lexer: PdfLexer,
  sizeBytes: number,
  signal: AbortSignal,
  read: (at: number, lengthBytes: number) => Promise<Buffer>,
): Promise<void> {
  for (let at = 0; at < sizeBytes; at += windowBytes) {
    signal.throwIfAborted();
    const overlap = Math.min(at, pdfLookBackBytes);
    lexer.feed(await read(at - overlap, overlap + Math.min(windowBytes, sizeBytes - at)), overlap, at - overlap);
  }
  lexer.end(sizeBytes);
}

function createSink(
  content: Pick<PdfContent, 'counts' | 'objectCount'>,
  reading: Reading,
  stream: PdfSink['stream'] = () => {},
): PdfSink {
  return {
    object: () => {
      content.objectCount++;
    },
    dictionary: (dictionary) => {
      for (const [feature, hasFeature] of featureEntries) if (hasFeature(dictionary)) content.counts[feature]++;
    },
    bareName: (name) => {
      const feature = Object.hasOwn(bareNameFeatures, name) ? bareNameFeatures[name] : undefined;
      if (feature) content.counts[feature]++;
    },
    stream,
    tooDeep: () => reading.exceed('pdfDepth'),
  };
}

function isObjectStream(dictionary: PdfDictionary): boolean {
  const type = dictionary.nameOf('Type');
  return type === 'ObjStm' || (dictionary.keys.includes('First') && dictionary.keys.includes('N') && type !== 'XRef');
}

function actionType(dictionary: PdfDictionary): string | undefined {
  return dictionary.nameOf('S');
}

// A paragraph style can be named Launch; its structure element then has /S /Launch.
function isStructure(dictionary: PdfDictionary): boolean {
  return dictionary.nameOf('Type') === 'StructElem';
}
