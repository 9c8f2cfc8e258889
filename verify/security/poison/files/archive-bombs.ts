import { deflateRawSync } from 'node:zlib';
import { makeArchive } from '@assay/testing/media/make-office.ts';
import { MiB, u8 } from '../formats/bytes.ts';
import type { Recipe } from '../formats/recipe.ts';
import { heavyOutcomes, type Row, recipesOf, refusedOutcomes } from '../formats/rows.ts';
import { changeFields, docx, numberedNames, type OfficeKind, office, packedParts, repeatRow } from '../formats/zip.ts';

const zeros = (bytes: number) => deflateRawSync(Buffer.alloc(bytes));

/** An Office package with these parts, all of which contain the same compressed bytes. */
const packageOf = (names: readonly string[], packed: Buffer, sizeBytes: number, kind: OfficeKind = 'docx') =>
  changeFields(office(kind, ...packedParts(names, packed, sizeBytes)), names, { method: 8 });

/** An archive of ten archives of ten archives, and so on for this many levels; the innermost contain zeros. */
const nestedArchives = (levels: number): Buffer =>
  levels === 0
    ? makeArchive([{ name: '0', data: Buffer.alloc(4 * MiB) }])
    : makeArchive(numberedNames(10, '#.zip').map((name) => ({ name, data: nestedArchives(levels - 1) })));

/** An Office package with one part of this name and compressed content. */
const onePart = (name: string, packed: Buffer, sizeBytes: number) =>
  changeFields(docx(...packedParts([name], packed, sizeBytes)), name, { method: 8 });

/** Empty deflate blocks, none of which is marked as the last. */
const emptyBlocks = (bytes: number) => Buffer.alloc(bytes, u8(0, 0, 0, 0xff, 0xff));

const rels = '<Relationships><Relationship Type="x/control" Target="a"/></Relationships>';
const tinyTags = (bytes: number) => Buffer.alloc(bytes, '<a>b');

const rows: Row[] = [
  ['docx-part-of-120-MiB-in-120-KB', () => onePart('word/a.xml', zeros(120 * MiB), 120 * MiB)],
  ['docx-part-that-says-it-is-empty', () => onePart('word/a.xml', zeros(64 * MiB), 0)],
  ['docx-part-that-says-it-is-one-byte', () => onePart('word/a.xml', zeros(64 * MiB), 1)],
  ['docx-part-that-says-4-GiB-and-has-one-byte', () => onePart('word/a.xml', zeros(1), 0xffffffff)],
  ['docx-1000-parts-of-1-MiB', () => packageOf(numberedNames(1000, 'word/p#.xml'), zeros(MiB), MiB)],
  ['docx-whose-parts-say-4-GiB-each', () => packageOf(numberedNames(500, 'word/p#.xml'), zeros(MiB), 0xfffffffe)],
  [
    'docx-of-zips-in-zips',
    () =>
      docx(
        { name: 'word/embeddings/a.zip', data: nestedArchives(2), isStored: true },
        { name: 'b.docx', data: nestedArchives(1) },
      ),
  ],
  ['docx-that-has-itself-inside', () => docx({ name: 'word/embeddings/a.docx', data: docx(), isStored: true })],
  ['docx-part-of-empty-blocks', () => onePart('word/_rels/a.rels', emptyBlocks(250_000), 100)],
  [
    'docx-20000-parts-of-empty-blocks',
    () => packageOf(numberedNames(19_000, 'word/_rels/p#.rels'), emptyBlocks(1000), 1),
  ],

  ['docx-types-of-64-MiB', () => bombAs('[Content_Types].xml', zeros(64 * MiB), 64 * MiB), refusedOutcomes],
  [
    'docx-types-of-64-MiB-that-say-100-bytes',
    () => bombAs('[Content_Types].xml', zeros(64 * MiB), 100),
    refusedOutcomes,
  ],
  ['docx-types-twice-the-second-a-bomb', () => docx({ name: '[Content_Types].xml', data: Buffer.alloc(64 * MiB) })],
  ['docx-relationships-of-64-MiB', () => onePart('_rels/.rels', zeros(64 * MiB), 64 * MiB)],
  ['docx-properties-of-64-MiB', () => onePart('docProps/core.xml', zeros(64 * MiB), 64 * MiB)],
  [
    'docx-1500-relationships-of-just-over-1-MiB',
    () => packageOf(numberedNames(1500, 'word/_rels/p#.rels'), zeros(MiB + 1), MiB + 1),
  ],
  [
    'docx-1500-relationships-of-just-1-MiB',
    () => packageOf(numberedNames(1500, 'word/_rels/p#.rels'), zeros(MiB), MiB),
  ],
  [
    'docx-40-relationships-of-nothing-but-brackets',
    () => packageOf(numberedNames(40, 'word/_rels/p#.rels'), deflateRawSync(Buffer.alloc(MiB, '<')), MiB),
  ],
  [
    'docx-1000-relationships-of-13000-controls',
    () => {
      const many = Buffer.alloc(MiB, rels.slice(15, -16));
      return packageOf(numberedNames(1000, 'word/_rels/p#.rels'), deflateRawSync(many), MiB);
    },
  ],
  [
    'docx-20000-rows-for-one-relationships-part',
    () => repeatRow(onePart('_rels/.rels', deflateRawSync(Buffer.alloc(MiB, rels)), MiB), '_rels/.rels', 19_000),
  ],
  [
    'docx-250000-properties-in-one-part',
    () => onePart('docProps/core.xml', deflateRawSync(tinyTags(MiB)), MiB),
    heavyOutcomes,
  ],
  [
    'docx-100-rows-for-25000-properties',
    () => repeatRow(onePart('docProps/core.xml', deflateRawSync(tinyTags(100_000)), 100_000), 'docProps/core.xml', 99),
    heavyOutcomes,
  ],
  [
    'docx-19000-rows-for-100000-properties',
    () =>
      repeatRow(onePart('docProps/app.xml', deflateRawSync(tinyTags(400_000)), 400_000), 'docProps/app.xml', 18_998),
    { expected: heavyOutcomes, isSlow: true },
  ],
  [
    'docx-19000-rows-for-properties-that-inflate-in-vain',
    () => repeatRow(onePart('docProps/core.xml', zeros(MiB), MiB), 'docProps/core.xml', 18_998),
    { expected: heavyOutcomes, isSlow: true },
  ],
];

/**
 * An archive with these compressed bytes as its first part, which readers use to identify the format of the package.
 */
function bombAs(name: string, packed: Buffer, sizeBytes: number): Buffer {
  const parts = [...packedParts([name], packed, sizeBytes), { name: 'word/document.xml', data: '<document/>' }];
  return changeFields(makeArchive(parts), name, { method: 8 });
}

const books: Row[] = [
  ['xlsx-40-sheets-of-20-MiB', () => packageOf(numberedNames(40, 'xl/s#.xml'), zeros(20 * MiB), 20 * MiB, 'xlsx')],
  ['xlsx-strings-of-100-MiB', () => packageOf(['xl/0.xml'], zeros(100 * MiB), 100 * MiB, 'xlsx')],
];
const slides: Row[] = [
  ['pptx-800-slides-of-1-MiB', () => packageOf(numberedNames(800, 'ppt/s#.xml'), zeros(MiB), MiB, 'pptx')],
  ['pptx-that-is-a-docx', () => docx({ name: 'ppt/presentation.xml', data: '<a/>' }), refusedOutcomes],
];

export const archiveBombs: Recipe[] = [
  ...recipesOf('archive', 'a.docx', rows),
  ...recipesOf('archive', 'a.xlsx', books),
  ...recipesOf('archive', 'a.pptx', slides),
];
