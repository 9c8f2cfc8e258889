import { deflateSync } from 'node:zlib';
import { makePdf, objectStream, streamObject } from '@assay/testing/media/make-pdf.ts';
import { latin, MiB, u8 } from '../formats/bytes.ts';
import type { Recipe } from '../formats/recipe.ts';
import { heavyOutcomes, type Row, recipesOf } from '../formats/rows.ts';

/** An object stream with these bytes, compressed this many times; the declared filters may not match. */
const packedStream = (plain: Buffer, times = 1, filters = `[${'/FlateDecode '.repeat(times)}]`) => {
  let bytes = plain;
  for (let i = 0; i < times; i++) bytes = deflateSync(bytes);
  return streamObject(`/Type /ObjStm /N 1 /First 4 /Filter ${filters}`, bytes);
};
const pdfOfRepeated = (count: number, object: Buffer) => makePdf({ objects: Array<Buffer>(count).fill(object) });
const pdfOf = (object: Buffer) => pdfOfRepeated(1, object);

/** A zlib header and empty deflate blocks: many bytes that decompress to none. */
const emptyBlocks = (bytes: number) => Buffer.concat([u8(0x78, 0x9c), Buffer.alloc(bytes, u8(0, 0, 0, 0xff, 0xff))]);

const contents: Record<string, string> = {
  zeros: '\0',
  spaces: ' ',
  'open-brackets': '[',
  'open-dictionaries': '<<',
  'open-strings': '(',
  'names-as-values': '/S/abcdefg ',
  launches: '<</S/Launch>>',
  comments: '%\n',
  'words-of-objects': '1 0 obj ',
};

const bombs: Row[] = [
  ...Object.entries(contents).map(
    ([name, unit]): Row => [
      `object-stream-of-15-MiB-of-${name}`,
      () => pdfOf(packedStream(Buffer.alloc(15 * MiB, unit))),
    ],
  ),
  ['object-stream-of-40-MiB', () => pdfOf(packedStream(Buffer.alloc(40 * MiB)))],
  ['object-stream-of-just-16-MiB', () => pdfOf(packedStream(Buffer.alloc(16 * MiB, ' ')))],
  ['400-object-streams-of-40-MiB', () => pdfOfRepeated(400, packedStream(Buffer.alloc(40 * MiB)))],
  ['60-object-streams-of-1-MiB', () => pdfOfRepeated(60, packedStream(Buffer.alloc(MiB, '/S/Launch ')))],
  ['object-stream-packed-8-times', () => pdfOf(packedStream(Buffer.alloc(15 * MiB), 8))],
  ['object-stream-packed-8-times-into-a-bomb', () => pdfOf(packedStream(Buffer.alloc(200 * MiB), 8))],
  ['object-stream-packed-9-times', () => pdfOf(packedStream(Buffer.alloc(MiB), 9))],
  [
    'object-stream-of-100000-filters',
    () => pdfOf(packedStream(Buffer.alloc(100), 1, `[${'/FlateDecode '.repeat(100_000)}]`)),
  ],
  ['object-stream-whose-middle-is-16-MiB', () => pdfOf(packedStream(emptyBlocks(15 * MiB), 2, '[/Fl /Fl /Fl]'))],
  [
    '40-object-streams-whose-middle-is-16-MiB',
    () => pdfOfRepeated(40, packedStream(emptyBlocks(15 * MiB), 2, '[/Fl /Fl /Fl]')),
  ],
  [
    '9000-object-streams-whose-middle-is-16-MiB',
    () => pdfOfRepeated(9000, packedStream(emptyBlocks(15 * MiB), 2, '[/Fl /Fl /Fl]')),
    { expected: heavyOutcomes, isSlow: true },
  ],
  [
    '40-object-streams-that-break-after-16-MiB',
    () => pdfOfRepeated(40, packedStream(Buffer.alloc(15 * MiB, 'x'), 1, '[/Fl /AHx]')),
  ],
  ['object-stream-of-hex-between-spaces', () => pdfOf(packedStream(Buffer.alloc(15 * MiB, '4 '), 1, '[/Fl /AHx]'))],
  ['object-stream-of-hex-between-nul', () => pdfOf(packedStream(Buffer.alloc(15 * MiB, '4\0'), 1, '[/Fl /AHx]'))],
  [
    '3-object-streams-of-hex-between-spaces',
    () => pdfOfRepeated(3, packedStream(Buffer.alloc(15 * MiB, ' 4'), 1, '[/Fl /AHx]')),
  ],
  [
    '9000-object-streams-of-hex-that-breaks',
    () =>
      pdfOfRepeated(9000, packedStream(Buffer.concat([Buffer.alloc(15 * MiB, '4 '), latin('x')]), 2, '[/Fl /Fl /AHx]')),
    { expected: heavyOutcomes, isSlow: true },
  ],
  ['12000-object-streams', () => pdfOfRepeated(12_000, objectStream(['1']))],
  ['12000-object-streams-without-an-end', () => pdfOfRepeated(12_000, latin('<</N 1/First 4/Filter/Fl>>\nstream\nx'))],
];

const filters = [
  '/LZWDecode',
  '/RunLengthDecode',
  '/ASCII85Decode',
  '/Crypt',
  '/JBIG2Decode',
  '/DCTDecode',
  '/#46l',
  '9 0 R',
  '[9 0 R]',
  '[[/Fl]]',
  '<<>>',
];
const streams: Row[] = [
  ...filters.map(
    (filter): Row => [
      `object-stream-under-${filter.replaceAll(/[^\w#]+/g, '-')}`,
      () => pdfOf(packedStream(Buffer.alloc(MiB, ' '), 1, filter)),
    ],
  ),
  [
    'object-stream-with-a-predictor',
    () =>
      pdfOf(
        packedStream(
          Buffer.alloc(MiB),
          1,
          '/FlateDecode /DecodeParms << /Predictor 15 /Columns 2147483647 /Colors 2147483647 >>',
        ),
      ),
  ],
  ['object-stream-cut-short', () => pdfOf(packedStream(Buffer.alloc(MiB, 'ab')).subarray(0, 600))],
  [
    'object-stream-of-noise',
    () =>
      pdfOf(
        streamObject(
          '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode',
          Buffer.from(Array.from({ length: 50_000 }, (_, i) => (i * 167 + (i >> 3)) % 256)),
        ),
      ),
  ],
  [
    'object-stream-of-2^31-objects',
    () => pdfOf(streamObject('/Type /ObjStm /N 2147483647 /First 2147483647', latin('1 0 2'))),
  ],
  ['object-stream-of-minus-one-object', () => pdfOf(streamObject('/Type /ObjStm /N -1 /First -1', latin('1 0 2')))],
  [
    'object-stream-that-extends-itself',
    () => pdfOf(streamObject('/Type /ObjStm /N 1 /First 4 /Extends 4 0 R', latin('1 0 2'))),
  ],
  [
    'object-stream-in-an-object-stream',
    () => makePdf({ packed: [objectStream(['<< /S /Launch >>']).toString('latin1')] }),
  ],
  ['page-of-100-MiB', () => makePdf({ page: ' '.repeat(100 * MiB) })],
  [
    'metadata-of-200-MiB',
    () => metadata('/Filter /FlateDecode', deflateSync(Buffer.alloc(200 * MiB, ' '))),
    heavyOutcomes,
  ],
  [
    'metadata-of-nested-elements',
    () => metadata('/Filter /FlateDecode', deflateSync(Buffer.alloc(20 * MiB, '<rdf:li>'))),
    { expected: heavyOutcomes, isSlow: true },
  ],
  [
    'metadata-packed-8-times',
    () => metadata(`/Filter [${'/FlateDecode '.repeat(8)}]`, deflateSync(deflateSync(Buffer.alloc(100 * MiB)))),
  ],
];

const metadata = (entries: string, bytes: Buffer) =>
  makePdf({ catalog: '/Metadata 4 0 R', objects: [streamObject(`/Type /Metadata /Subtype /XML ${entries}`, bytes)] });

export const pdfStreams: Recipe[] = recipesOf('pdf', 'a.pdf', [...bombs, ...streams]);
