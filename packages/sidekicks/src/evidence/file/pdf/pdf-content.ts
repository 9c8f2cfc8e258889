import { setImmediate } from 'node:timers/promises';
import { assetBytesMax } from '@assay/contract/limits.ts';
import type { Source } from '@assay/jail/source/source.ts';
import { readBytes } from '../bytes/read-bytes.ts';
import { decodePdfStream } from './pdf-filters.ts';
import { type PdfDictionary, PdfLexer, type PdfSink, pdfLookBackBytes } from './pdf-lexer.ts';

const headerWithinBytes = 1024; // readers accept the header within this range
const windowBytes = 256 * 1024;
const objectStreamsMax = 10_000;
const objectStreamBytesMax = 16 * 1024 * 1024;
export const inflatedBytesMax = { stream: 16 * 1024 * 1024, file: 64 * 1024 * 1024 } as const;

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

export type PdfContent = {
  headerAt: number;
  objectCount: number;
  /** Occurrences of each feature, outside and inside object streams. */
  counts: Record<PdfFeature, number>;
  /** Object streams that could not be read. */
  unreadStreams: number;
  /** Object streams that inflate beyond the limit. */
  bombs: number;
  isWhole: boolean;
};

/** Reads the active content of a PDF; `null` if there is no PDF header where readers accept one. */
export async function readPdfContent(source: Source): Promise<PdfContent | null> {
  const { bytes, signal } = source;
  const headerAt = (await readBytes(bytes, 0, headerWithinBytes + 8)).toString('latin1').search(/%PDF-\d/);
  if (headerAt < 0) return null;

  const counts = Object.fromEntries(featureEntries.map(([feature]) => [feature, 0])) as Record<PdfFeature, number>;
  const content: PdfContent = { headerAt, objectCount: 0, counts, unreadStreams: 0, bombs: 0, isWhole: true };
  const objectStreams: { dictionary: PdfDictionary; start: number; end: number }[] = [];
  const sink = createSink(content, (dictionary, start, end) => {
    if (!isObjectStream(dictionary)) return;
    if (objectStreams.length < objectStreamsMax) objectStreams.push({ dictionary, start, end });
    else content.unreadStreams++;
  });

  const scanned = Math.min(bytes.sizeBytes, assetBytesMax.document);
  content.isWhole = scanned === bytes.sizeBytes;
  await feedWindows(new PdfLexer(sink, requestedKeys), scanned, signal, (at, length) => readBytes(bytes, at, length));

  let inflatedBytes = 0;
  for (const { dictionary, start, end } of objectStreams) {
    signal.throwIfAborted();
    const bytesLeft = Math.min(inflatedBytesMax.stream, inflatedBytesMax.file - inflatedBytes);
    if (end - start > objectStreamBytesMax || bytesLeft <= 0) {
      content.unreadStreams++;
      continue;
    }
    const { decoded, decodedBytes } = await decodePdfStream(
      await readBytes(bytes, start, end - start),
      dictionary,
      bytesLeft,
    );
    inflatedBytes += decodedBytes;
    if (decoded === 'unread') content.unreadStreams++;
    else if (decoded === 'bomb') content.bombs++;
    else await readObjects(decoded, content, signal);
  }
  return content;
}

/** Strict mode counts correctly; loose mode finds what an unclosed bracket hides. The higher count is used. */
async function readObjects(decoded: Buffer, content: PdfContent, signal: AbortSignal): Promise<void> {
  const [strict, loose] = [{ ...content.counts }, { ...content.counts }];
  for (const counts of [strict, loose]) {
    const lexer = new PdfLexer(createSink({ objectCount: 0, counts }), requestedKeys, counts === loose);
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
