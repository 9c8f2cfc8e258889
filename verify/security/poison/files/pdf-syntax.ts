import { makePdf as makeParts, streamObject } from '@assay/testing/media/make-pdf.ts';
import { makePdf, makeZip } from '@assay/testing/media/samples.ts';
import { latin, MiB } from '../formats/bytes.ts';
import { externalEntities } from '../formats/entities.ts';
import type { Recipe } from '../formats/recipe.ts';
import { heavyOutcomes, type Row, recipesOf, refusedOutcomes } from '../formats/rows.ts';

/** A PDF with one additional object of this body. */
const withObject = (body: string | Buffer) => makeParts({ objects: [body] });
/** A PDF with this metadata, uncompressed. */
const withMetadata = (xml: Buffer) =>
  makeParts({ catalog: '/Metadata 4 0 R', objects: [streamObject('/Type /Metadata /Subtype /XML', xml)] });
/** A header, an object and this text up to the end of the file. */
const endlessPdf = (bytes: number, text: string, opening = '') =>
  Buffer.concat([latin(`%PDF-1.7\n1 0 obj\n${opening}`), Buffer.alloc(bytes, text)]);

/** 1 MiB of each delimiter, inside an object and to the end of the file. */
const delimiters: Row[] = [...'[]()<>{}%/#\\'].flatMap((letter): Row[] => [
  [`1-MiB-of-${letter}-in-an-object`, () => withObject(Buffer.alloc(MiB, letter))],
  [`1-MiB-of-${letter}-to-the-end`, () => endlessPdf(MiB, letter)],
]);

const nestDelimiters = (opening: string, closing: string, levels = 100_000) =>
  `${opening.repeat(levels)}1${closing.repeat(levels)}`;
/** ExifTool follows values in the catalogue and the trailer, in time quadratic in their depth. */
const followedValues: Record<string, (value: string) => Buffer> = {
  catalogue: (value) => Buffer.from(makePdf(`/A ${value}`)),
  trailer: (value) => makeParts({ trailer: `/Info ${value}` }),
};
const depths: Row[] = [
  ['dictionaries-100000-deep', () => withObject(nestDelimiters('<</A ', '>>'))],
  ['dictionaries-100000-deep-left-open', () => withObject(nestDelimiters('<</A ', ''))],
  ['arrays-100000-deep', () => withObject(nestDelimiters('[', ']'))],
  ['arrays-of-dictionaries-100000-deep', () => withObject(nestDelimiters('[<</A', '>>]'))],
  ['strings-100000-deep', () => withObject(nestDelimiters('(', ')'))],
  [
    'pages-10000-deep',
    () => makeParts({ objects: Array.from({ length: 10_000 }, (_, i) => `<< /Type /Pages /Kids [${i + 5} 0 R] >>`) }),
  ],
  ...Object.entries(followedValues).flatMap(([place, write]): Row[] => [
    [`${place}-1000-deep`, () => write(nestDelimiters('<</A ', '>>', 1000))],
    [`${place}-of-arrays-1000-deep`, () => write(nestDelimiters('[', ']', 1000))],
  ]),
  [
    'catalogue-100000-deep',
    () => makePdf(`/A ${nestDelimiters('<</A ', '>>')}`),
    { expected: heavyOutcomes, isSlow: true },
  ],
  [
    'catalogue-of-arrays-10000-deep',
    () => makePdf(`/A ${nestDelimiters('[', ']', 10_000)}`),
    { expected: heavyOutcomes, isSlow: true },
  ],
];

/** Repeated text that a lexer accumulates, because its dictionary never ends. */
const units: Record<string, [text: string, opening?: string]> = {
  'names-as-values': ['/S/abcdefg', '<<'],
  'names-that-differ-in-case': ['/Type/a/type/A', '<<'],
  keys: ['/S 1 ', '<<'],
  'keys-of-filters': ['/Filter[/Fl]', '<<'],
  'streams-that-never-end': ['<</First 1/N 1>>\nstream\n'],
  launches: ['<</S/Launch>>'],
  'marks-that-are-bare-names': ['/Launch '],
  'words-of-objects': ['1 0 obj '],
  'ends-of-objects': ['<</S/Launch endobj '],
  'ends-of-streams': ['endstream '],
  'starts-of-streams': ['stream\nendstream\n'],
  'the-last-letter-of-endstream': ['m', '<<>>\nstream\n'],
  'the-last-letters-of-obj': ['obj'],
  'spaces-before-obj': [`${' '.repeat(29)}obj`],
  'ends-of-files': ['%%EOF\nstartxref\n9\n'],
  'escaped-names': ['/#53#2f/J#61v#61Script'],
  'broken-escapes': ['/#/#5/#zz/#'],
  'strings-of-escapes': ['(\\(\\)\\\\'],
};
const lexer: Row[] = Object.entries(units).flatMap(([name, [text, opening]]): Row[] => [
  [`4-MiB-of-${name}`, () => endlessPdf(4 * MiB, text, opening)],
  [`60-MiB-of-${name}`, () => endlessPdf(60 * MiB, text, opening), { expected: heavyOutcomes, isSlow: true }],
]);

const info = (bytes: number) =>
  `<< /Title (${'\\050'.repeat(bytes / 8)}) /Author <${'feff0041'.repeat(bytes / 16)}> >>`;
const lengths = ['0', '-1', '2147483648', `1${'0'.repeat(400)}`, '4 0 R', '99 0 R', '(x)', '<<>>', ''];
const objects: Row[] = [
  ...lengths.map(
    (length, i): Row => [
      `length-${i}-of-a-stream-is-wrong`,
      () => withObject(`<< /Length ${length} >>\nstream\nabc\nendstream`),
    ],
  ),
  ['an-object-that-is-itself', () => withObject('4 0 R')],
  ['objects-that-are-each-other', () => makeParts({ objects: ['5 0 R', '4 0 R'], trailer: '/Info 4 0 R' })],
  ['catalogue-that-is-its-own-pages', () => makePdf('/Pages 1 0 R /Kids [1 0 R] /Metadata 1 0 R /Outlines 1 0 R')],
  ['info-that-is-the-trailer', () => makeParts({ trailer: '/Info 1 0 R /Prev 0 /Root 2 0 R' })],
  ['metadata-that-are-itself', () => makePdf('/Metadata 1 0 R')],
  ['a-name-of-1-MiB', () => withObject(`/${'x'.repeat(MiB)}`)],
  ['a-name-of-1-MiB-of-escapes', () => withObject(`<< /${'#41'.repeat(MiB / 3)} 1 >>`)],
  ['a-string-that-never-closes', () => withObject(`<< /Title (${'x'.repeat(MiB)} >>`)],
  ['a-hex-string-that-never-closes', () => withObject(`<< /Title <${'4'.repeat(MiB)} >>`)],
  ['a-comment-that-never-ends', () => withObject(`%${'x'.repeat(MiB)}`)],
  ['500000-tiny-objects', () => endlessPdf(8_000_000, '1 0 obj 1 endobj\n')],
  ['100000-objects-in-the-table', () => makeParts({ objects: Array<string>(100_000).fill('1') })],
  ['info-of-100-KB', () => makeParts({ objects: [info(100_000)], trailer: '/Info 4 0 R' })],
  ['info-of-2-MB', () => makeParts({ objects: [info(2_000_000)], trailer: '/Info 4 0 R' }), { isSlow: true }],
  [
    'info-of-20000-keys',
    () =>
      makeParts({
        objects: [`<< ${Array.from({ length: 20_000 }, (_, i) => `/K${i} (x)`).join(' ')} >>`],
        trailer: '/Info 4 0 R',
      }),
  ],
  [
    'files-and-addresses-from-elsewhere',
    ({ listener, canary }) =>
      makePdf(
        `/OpenAction << /S /GoToR /F (${canary}) >> /AA << /O << /S /URI /URI (http://${listener}/) >> >> /AcroForm << /XFA (http://${listener}/x) >>`,
      ),
  ],
  [
    'a-stream-in-another-file',
    ({ canary, listener }) =>
      withObject(
        `<< /F (${canary}) /FS /URL /FFilter /FlateDecode /Length 0 /U (http://${listener}/) >>\nstream\nendstream`,
      ),
  ],
  [
    '1-MiB-of-metadata-with-entities',
    (fixture) => {
      const start = `${externalEntities(fixture, 'x')}<x:xmpmeta><rdf:RDF>&a;&b;`;
      return withMetadata(Buffer.concat([latin(start), Buffer.alloc(MiB, '<rdf:li>')]));
    },
  ],
  [
    'metadata-of-10000-properties',
    () => {
      const properties = Array.from({ length: 10_000 }, (_, i) => `<a:b${i}>x</a:b${i}>`).join('');
      return withMetadata(
        latin(
          `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description>${properties}</rdf:Description></rdf:RDF></x:xmpmeta>`,
        ),
      );
    },
  ],
];

const headers: Row[] = [
  ...[1, 4, 512, 1016, 1024, 2000].map(
    (bytes): Row => [
      `header-after-${bytes}-bytes`,
      () => Buffer.concat([Buffer.alloc(bytes, 0x20), makePdf()]),
      refusedOutcomes,
    ],
  ),
  ['header-after-a-byte-order-mark', () => Buffer.concat([latin('\xef\xbb\xbf'), makePdf()])],
  ['header-alone', () => latin('%PDF-1.7')],
  ['header-cut-short', () => latin('%PDF')],
  ['header-of-another-version', () => latin('%PDF-9.99\n%%EOF')],
  ['header-5000-times', () => Buffer.concat(Array<Uint8Array>(5000).fill(makePdf()))],
  ['a-zip-after-the-end', () => Buffer.concat([makePdf(), makeZip({ 'evil.exe': 'MZ' })])],
  ['a-zip-in-front', () => Buffer.concat([makeZip({ 'evil.exe': 'MZ' }), makePdf()]), refusedOutcomes],
];

export const pdfSyntax: Recipe[] = recipesOf('pdf', 'a.pdf', [
  ...depths,
  ...delimiters,
  ...lexer,
  ...objects,
  ...headers,
]);
