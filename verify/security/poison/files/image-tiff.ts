import { be, latin, le, MiB, repeatBytes } from '../formats/bytes.ts';
import { externalEntities } from '../formats/entities.ts';
import type { Recipe } from '../formats/recipe.ts';
import { heavyOutcomes, type Row, recipesOf, refusedOrNotOutcomes } from '../formats/rows.ts';
import {
  directory,
  directoryBytes,
  directoryChain,
  directoryWeb,
  type Field,
  fieldTags,
  fieldTypes,
  sizeFields,
  tiff,
} from '../formats/tiff.ts';

const uint32Max = 0xffffffff;

const tiffWithField = (...field: Field) => directory([...sizeFields(16, 16), field]);
/** A TIFF with one additional field, whose value follows the directory. */
const withValue = (tag: number, type: number, value: Uint8Array, count = value.length) =>
  tiff(tiffWithField(tag, type, count, 8 + directoryBytes(3)), value);
const bigTiff = (...numbers: bigint[]) =>
  Buffer.concat([latin('II+\0'), le.u16(8, 0), Buffer.from(BigUint64Array.from(numbers).buffer)]);

const tiffs: Row[] = [
  ['tiff-of-no-size', () => tiff(directory(sizeFields(0, 0)))],
  ['tiff-of-2^31-a-side', () => tiff(directory(sizeFields(2 ** 31, 2 ** 31)))],
  ['tiff-of-2^32-a-side', () => tiff(directory(sizeFields(uint32Max, uint32Max)))],
  ['tiff-whose-directory-is-the-next', () => tiff(directory(sizeFields(16, 16), 8))],
  ['tiff-whose-directories-are-a-ring', () => tiff(directoryChain(50, () => sizeFields(16, 16), 8))],
  ['tiff-of-5000-directories', () => tiff(directoryChain(5000, () => sizeFields(16, 16)))],
  ['tiff-of-100000-directories', () => tiff(directoryChain(100_000, () => sizeFields(16, 16))), { isSlow: true }],
  [
    'tiff-of-65535-fields',
    () => tiff(directory(Array<Field>(65_535).fill([fieldTags.description, fieldTypes.text, 4, 0]))),
  ],
  [
    'tiff-of-65535-fields-in-a-short-file',
    () => Buffer.concat([latin('II*\0'), le.u32(8), le.u16(65_535)]),
    refusedOrNotOutcomes,
  ],
  ['tiff-of-parts-that-are-itself', () => tiff(tiffWithField(fieldTags.subDirectories, fieldTypes.long, 1, 8))],
  ['tiff-of-300-directories-that-name-each-other', () => tiff(directoryWeb(300))],
  ['tiff-of-2000-directories-that-name-each-other', () => tiff(directoryWeb(2000)), { isSlow: true }],
  // ExifTool follows every entry to the same directory, and from there every entry again.
  [
    'tiff-of-50000-parts-that-are-itself',
    () => withValue(fieldTags.subDirectories, fieldTypes.long, repeatBytes(50_000, le.u32(8)), 50_000),
    { expected: heavyOutcomes, isSlow: true },
  ],
  ['tiff-of-2^32-parts', () => withValue(fieldTags.subDirectories, fieldTypes.long, le.u32(8), uint32Max)],
  ['tiff-whose-exif-is-itself', () => tiff(tiffWithField(fieldTags.exif, fieldTypes.long, 1, 8))],
  ['tiff-whose-position-is-itself', () => tiff(tiffWithField(fieldTags.position, fieldTypes.long, 1, 8))],
  [
    'tiff-whose-notes-are-itself',
    () =>
      tiff(
        directory([
          [271, fieldTypes.text, 5, 8],
          [fieldTags.makerNotes, fieldTypes.bytes, 500, 8],
        ]),
      ),
  ],
  [
    'tiff-of-2^32-strips',
    () =>
      tiff(
        directory([
          ...sizeFields(16, 16),
          [fieldTags.strips, fieldTypes.long, uint32Max, 8],
          [fieldTags.stripBytes, fieldTypes.long, uint32Max, 8],
        ]),
      ),
  ],
  ['tiff-text-of-4-GiB', () => withValue(fieldTags.description, fieldTypes.text, latin('x'), uint32Max)],
  ['tiff-text-of-8-MiB', () => withValue(fieldTags.description, fieldTypes.text, Buffer.alloc(8 * MiB, 'x'))],
  ['tiff-text-beyond-the-file', () => tiff(tiffWithField(fieldTags.description, fieldTypes.text, 100, uint32Max))],
  [
    'tiff-of-unknown-types',
    () => tiff(directory(Array.from({ length: 200 }, (_, i): Field => [i, i * 300, uint32Max, i]))),
  ],
  ['tiff-colours-of-8-MiB', () => withValue(fieldTags.colours, fieldTypes.bytes, Buffer.alloc(8 * MiB, 'acsp'))],
  [
    'tiff-xmp-of-entities',
    (fixture) =>
      withValue(
        fieldTags.xmp,
        fieldTypes.bytes,
        latin(`${externalEntities(fixture)}<x:xmpmeta>&a;&b;${'<a>'.repeat(20_000)}`),
      ),
  ],
  ['tiff-without-a-directory', () => tiff(), refusedOrNotOutcomes],
  [
    'tiff-whose-directory-is-at-0',
    () => Buffer.concat([latin('II*\0'), le.u32(0), directory([])]),
    refusedOrNotOutcomes,
  ],
  [
    'tiff-whose-directory-is-beyond',
    () => Buffer.concat([latin('MM\0*'), be.u32(uint32Max), Buffer.alloc(100)]),
    refusedOrNotOutcomes,
  ],
  ['tiff-of-nothing-but-directories-of-no-field', () => tiff(Buffer.alloc(2 * MiB))],
  ['big-tiff-of-2^64-fields', () => bigTiff(16n, 2n ** 64n - 1n, 0n)],
  ['big-tiff-whose-directory-is-beyond', () => bigTiff(2n ** 64n - 1n)],
  ['big-tiff-whose-directory-is-the-next', () => bigTiff(16n, 0n, 16n), { expected: heavyOutcomes, isSlow: true }],
];

export const imageTiffs: Recipe[] = recipesOf('image', 'a.tiff', tiffs);
