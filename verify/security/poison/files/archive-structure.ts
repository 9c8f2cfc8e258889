import { makeArchive, makeOfficeFile, withZip64End } from '@assay/testing/media/make-office.ts';
import { latin, le, offsetOf, overwrite } from '../formats/bytes.ts';
import type { Recipe } from '../formats/recipe.ts';
import { type Row, recipesOf, refusedOrNotOutcomes, refusedOutcomes } from '../formats/rows.ts';
import {
  changeEnd,
  changeFields,
  changeRows,
  docx,
  joinArchive,
  numberedNames,
  pointRowTo,
  renameRow,
  repeatRow,
  splitArchive,
} from '../formats/zip.ts';

const types = '[Content_Types].xml';
const part = 'word/document.xml';
const plainPackage = makeOfficeFile('docx', [{ name: 'docProps/core.xml', data: '<dc:creator>Ann</dc:creator>' }]);
const hugeNumber = 2n ** 64n - 1n;

/** An archive whose ZIP64 end record has one number changed; `field` is its offset in the record. */
const zip64End = (field: number, value: bigint) => {
  const archive = withZip64End(plainPackage);
  const changed = Buffer.from(archive);
  changed.writeBigUInt64LE(value, offsetOf(archive, 'PK\x06\x06') + field);
  return changed;
};

/** An archive in which every directory entry has this ZIP64 extra field (id 1). */
const withExtra = (extra: Uint8Array) =>
  changeRows(plainPackage, (rows) =>
    rows.map((row) => {
      const marked = overwrite(row, 20, le.u32(0xffffffff, 0xffffffff));
      return Buffer.concat([overwrite(marked, 30, le.u16(extra.length)), extra]);
    }),
  );
const u64 = (value: bigint) => Buffer.from(BigUint64Array.of(value).buffer);

const ends: Row[] = [
  ['count-of-0', () => changeEnd(plainPackage, { count: 0 })],
  ['count-of-1', () => changeEnd(plainPackage, { count: 1 })],
  ['count-of-60000', () => changeEnd(plainPackage, { count: 60_000 })],
  ['count-of-65535', () => changeEnd(plainPackage, { count: 65_535 })],
  ['directory-of-no-bytes', () => changeEnd(plainPackage, { directoryBytes: 0 })],
  ['directory-of-one-byte-less', () => changeEnd(plainPackage, { directoryBytes: directoryBytesOf(plainPackage) - 1 })],
  ['directory-of-4-GiB', () => changeEnd(plainPackage, { directoryBytes: 0xffffffff })],
  ['directory-of-more-than-the-file', () => changeEnd(plainPackage, { directoryBytes: 0xfffffff })],
  ['directory-at-0', () => changeEnd(plainPackage, { directoryAt: 0 })],
  ['directory-beyond-the-file', () => changeEnd(plainPackage, { directoryAt: 0xfffffffe })],
  ['large-end', () => withZip64End(plainPackage)],
  ['large-end-of-2^64-entries', () => zip64End(32, hugeNumber)],
  ['large-end-of-2^63-bytes', () => zip64End(40, 2n ** 63n)],
  ['large-end-that-begins-at-2^64', () => zip64End(48, hugeNumber)],
  ['large-end-of-no-entry', () => zip64End(32, 0n)],
  ['large-end-whose-locator-points-at-itself', () => pointLocator((archive) => offsetOf(archive, 'PK\x06\x07'))],
  ['large-end-whose-locator-points-at-0', () => pointLocator(() => 0)],
  ['large-end-whose-locator-points-beyond', () => pointLocator((archive) => archive.length - 8)],
  ['large-end-without-its-record', () => changeEnd(plainPackage, { count: 65_535, directoryAt: 0xffffffff })],
  ['large-sizes-of-2^64', () => withExtra(Buffer.concat([le.u16(1, 16), u64(hugeNumber), u64(hugeNumber)]))],
  ['large-sizes-of-0', () => withExtra(Buffer.concat([le.u16(1, 16), u64(0n), u64(0n)]))],
  ['large-sizes-that-are-missing', () => withExtra(le.u16(1, 0))],
  ['large-sizes-longer-than-their-row', () => withExtra(Buffer.concat([le.u16(1, 0xfff0), u64(9n)]))],
  ['10000-extra-fields-of-no-bytes', () => withExtra(Buffer.alloc(40_000, le.u16(7, 0)))],
  ['comment-of-64-KiB', () => changeEnd(plainPackage, { comment: Buffer.alloc(65_535, 'x') })],
  ['comment-of-16000-end-marks', () => changeEnd(plainPackage, { comment: Buffer.alloc(65_535, 'PK\x05\x06') })],
  [
    'comment-with-a-whole-archive',
    () => changeEnd(plainPackage, { comment: makeArchive([{ name: 'evil.exe', data: 'MZ' }]) }),
  ],
  ['comment-with-an-end-of-no-entry', () => changeEnd(plainPackage, { comment: joinArchive(latin(''), []) })],
  ['comment-that-is-missing', () => overwrite(plainPackage, plainPackage.length - 2, le.u16(500))],
  [
    'directory-in-the-middle',
    () => Buffer.concat([...splitInHalf(), Buffer.alloc(50_000, 'x'), plainPackage.subarray(-22)]),
  ],
  ['100-KiB-after-the-end', () => Buffer.concat([plainPackage, Buffer.alloc(100_000, 'x')])],
  ['a-second-package-after-the-end', () => Buffer.concat([plainPackage, plainPackage])],
  ['no-directory', () => splitInHalf()[0]],
  ['half-a-directory', () => plainPackage.subarray(0, plainPackage.length - 100)],
  ['no-entry-at-all', () => joinArchive(latin(''), []), refusedOutcomes],
  ['a-mark-of-several-disks-in-front', () => Buffer.concat([latin('PK\x07\x08'), plainPackage]), refusedOutcomes],
  ['1-MiB-in-front', () => Buffer.concat([Buffer.alloc(1_048_576, 1), plainPackage]), refusedOutcomes],
];

const directoryBytesOf = (archive: Buffer) => archive.readUInt32LE(archive.length - 22 + 12);

function pointLocator(at: (archive: Buffer) => number): Buffer {
  const archive = withZip64End(plainPackage);
  const changed = Buffer.from(archive);
  changed.writeBigUInt64LE(BigInt(at(archive)), offsetOf(archive, 'PK\x06\x07') + 8);
  return changed;
}

function splitInHalf(): [Buffer, Buffer] {
  const { body, rows } = splitArchive(plainPackage);
  return [body, Buffer.concat(rows)];
}

const packageOfPart = (name: string) => docx({ name, data: 'x'.repeat(2000), isStored: true });
const packageOfRenamed = (name: string, count: number) =>
  changeRows(packageOfPart(part), (rows) => [...rows, ...copiesOfLastRow(rows, name, count)]);
const copiesOfLastRow = (rows: Buffer[], name: string, count: number) =>
  Array<Buffer>(count).fill(renameRow(rows.at(-1) as Buffer, name));

const emptyParts = (count: number, name: string) => numberedNames(count, name).map((one) => ({ name: one, data: '' }));

const names: Row[] = [
  ['200-names-of-64-KiB', () => packageOfRenamed(`word/${'x'.repeat(65_000)}`, 200)],
  ['300-names-of-64-KiB-of-slashes', () => packageOfRenamed('/'.repeat(65_000), 300)],
  ['200-names-of-64-KiB-of-dots', () => packageOfRenamed('../'.repeat(21_000), 200)],
  ['200-names-of-64-KiB-of-macro-sheets', () => packageOfRenamed('/macrosheets'.repeat(5000), 200)],
  ['names-of-no-byte', () => packageOfRenamed('', 1000)],
  ['names-that-climb', () => repeatRow(packageOfPart(part), part, 500, (i) => `${'../'.repeat(i)}etc/passwd`)],
  [
    'names-with-drives-and-shares',
    () => repeatRow(packageOfPart(part), part, 60, (i) => (i % 2 ? `C:\\${i}` : `\\\\host\\${i}`)),
  ],
  ['names-with-nul', () => repeatRow(packageOfPart(part), part, 60, (i) => `word/${i}.jpg\0.exe`)],
  [
    'names-of-control-characters',
    () => repeatRow(packageOfPart(part), part, 200, (i) => `\x1b[2J\r\n\x07${i}\xff\xfe`),
  ],
  ['5000-rows-for-one-entry', () => packageOfRenamed(part, 5000)],
  ['19000-names-for-one-entry', () => repeatRow(packageOfPart(part), part, 19_000, (i) => `word/${i}.xml`)],
  ['21000-rows', () => repeatRow(packageOfPart(part), part, 21_000, (i) => `word/${i}.xml`)],
  ['70000-rows', () => repeatRow(packageOfPart(part), part, 70_000, (i) => `${i}`)],
  ['21000-entries', () => makeOfficeFile('docx', emptyParts(21_000, 'w/#'))],
  [
    '5000-rows-for-the-types',
    () => changeRows(packageOfPart(part), (rows) => [...rows, ...Array<Buffer>(5000).fill(rows[0] as Buffer)]),
  ],
  ['500-types-in-a-row', () => docx(...Array.from({ length: 500 }, () => ({ name: types, data: '<Types/>' })))],
  [
    'names-that-differ-in-the-directory',
    () =>
      changeRows(packageOfPart(part), ([first, second]) => [first, renameRow(second as Buffer, 'x.exe')] as Buffer[]),
  ],
  [
    'the-types-come-last',
    () =>
      makeArchive([
        { name: part, data: '<a/>' },
        { name: types, data: '<Types/>' },
      ]),
    refusedOrNotOutcomes,
  ],
  [
    'the-types-after-1100-parts',
    () => makeArchive([...emptyParts(1100, 'word/#.xml'), { name: types, data: '' }]),
    refusedOrNotOutcomes,
  ],
];

const anyMethods = [1, 9, 12, 14, 93, 95, 98, 99, 0xffff];
const entries: Row[] = [
  ...anyMethods.map(
    (method): Row => [
      `packed-by-method-${method}`,
      () => changeFields(plainPackage, [part, '_rels/.rels', 'docProps/core.xml'], { method }),
    ],
  ),
  ['types-packed-by-method-99', () => changeFields(plainPackage, types, { method: 99 }), refusedOutcomes],
  ['encrypted-part', () => changeFields(plainPackage, part, { flags: 1 })],
  [
    'all-parts-encrypted',
    () => changeFields(plainPackage, [types, part, '_rels/.rels', 'docProps/core.xml'], { flags: 1 }),
    refusedOrNotOutcomes,
  ],
  [
    'strongly-encrypted-with-a-hidden-directory',
    () => changeFields(plainPackage, [types, part], { flags: 0x2041 }),
    refusedOrNotOutcomes,
  ],
  [
    'sizes-that-follow-the-data',
    () => changeFields(plainPackage, part, { flags: 8, packedBytes: 0, sizeBytes: 0 }, ['header']),
  ],
  [
    'types-whose-size-follows-the-data',
    () => changeFields(plainPackage, types, { flags: 8, packedBytes: 0, sizeBytes: 0 }, ['header']),
    refusedOrNotOutcomes,
  ],
  ['packed-sizes-of-4-GiB', () => changeFields(plainPackage, [part, '_rels/.rels'], { packedBytes: 0xfffffffe })],
  ['types-of-4-GiB', () => changeFields(plainPackage, types, { packedBytes: 0xfffffffe }), refusedOutcomes],
  [
    'packed-sizes-of-0',
    () => changeFields(plainPackage, [part, '_rels/.rels', 'docProps/core.xml'], { packedBytes: 0 }, ['row']),
  ],
  [
    'deflate-cut-short',
    () => changeFields(plainPackage, [part, '_rels/.rels', 'docProps/core.xml'], { packedBytes: 9 }, ['row']),
  ],
  ['types-cut-short', () => changeFields(plainPackage, types, { packedBytes: 20 }), refusedOutcomes],
  ['stored-parts-that-say-deflate', () => changeFields(packageOfPart('_rels/.rels'), '_rels/.rels', { method: 8 })],
  ['names-longer-than-the-file', () => changeFields(plainPackage, part, { nameBytes: 0xffff }, ['header'])],
  [
    'entries-inside-each-other',
    () =>
      changeRows(packageOfPart(part), (rows) => [
        ...rows,
        ...Array.from({ length: 900 }, (_, i) => pointRowTo(rows[1] as Buffer, i)),
      ]),
  ],
  [
    'entries-in-the-directory',
    () =>
      changeRows(packageOfPart(part), (rows) =>
        rows.map((row, i) => (i ? pointRowTo(row, packageOfPart(part).length - 60) : row)),
      ),
  ],
  [
    'entries-beyond-the-file',
    () => changeRows(packageOfPart(part), (rows) => rows.map((row) => pointRowTo(row, 0xfffffffe))),
  ],
  ['a-package-cut-in-its-types', () => plainPackage.subarray(0, 90), refusedOutcomes],
];

export const archiveStructure: Recipe[] = recipesOf('archive', 'a.docx', [...ends, ...names, ...entries]);
