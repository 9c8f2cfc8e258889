import { makeArchive, makeOfficeFile, withZip64End } from '@assay/testing/media/make-office.ts';
import { latin, le, offsetOf, overwrite } from '../formats/bytes.ts';
import type { Recipe } from '../formats/recipe.ts';
import { type Row, recipesOf, refused, refusedOrNot } from '../formats/rows.ts';
import {
  changeEnd,
  changeRows,
  claim,
  docx,
  joinArchive,
  moveRow,
  numbered,
  renameRow,
  repeatRow,
  splitArchive,
} from '../formats/zip.ts';

const types = '[Content_Types].xml';
const part = 'word/document.xml';
const plain = makeOfficeFile('docx', [{ name: 'docProps/core.xml', data: '<dc:creator>Ann</dc:creator>' }]);
const huge = 2n ** 64n - 1n;

/** An archive whose ZIP64 end record has one number changed; `field` is its offset in the record. */
const zip64End = (field: number, value: bigint) => {
  const archive = withZip64End(plain);
  const changed = Buffer.from(archive);
  changed.writeBigUInt64LE(value, offsetOf(archive, 'PK\x06\x06') + field);
  return changed;
};

/** An archive in which every directory entry has this ZIP64 extra field (id 1). */
const withExtra = (extra: Uint8Array) =>
  changeRows(plain, (rows) =>
    rows.map((row) => {
      const marked = overwrite(row, 20, le.u32(0xffffffff, 0xffffffff));
      return Buffer.concat([overwrite(marked, 30, le.u16(extra.length)), extra]);
    }),
  );
const u64 = (value: bigint) => Buffer.from(BigUint64Array.of(value).buffer);

const ends: Row[] = [
  ['count-of-0', () => changeEnd(plain, { count: 0 })],
  ['count-of-1', () => changeEnd(plain, { count: 1 })],
  ['count-of-60000', () => changeEnd(plain, { count: 60_000 })],
  ['count-of-65535', () => changeEnd(plain, { count: 65_535 })],
  ['directory-of-no-bytes', () => changeEnd(plain, { directoryBytes: 0 })],
  ['directory-of-one-byte-less', () => changeEnd(plain, { directoryBytes: directoryBytesOf(plain) - 1 })],
  ['directory-of-4-GiB', () => changeEnd(plain, { directoryBytes: 0xffffffff })],
  ['directory-of-more-than-the-file', () => changeEnd(plain, { directoryBytes: 0xfffffff })],
  ['directory-at-0', () => changeEnd(plain, { directoryAt: 0 })],
  ['directory-beyond-the-file', () => changeEnd(plain, { directoryAt: 0xfffffffe })],
  ['large-end', () => withZip64End(plain)],
  ['large-end-of-2^64-entries', () => zip64End(32, huge)],
  ['large-end-of-2^63-bytes', () => zip64End(40, 2n ** 63n)],
  ['large-end-that-begins-at-2^64', () => zip64End(48, huge)],
  ['large-end-of-no-entry', () => zip64End(32, 0n)],
  ['large-end-whose-locator-points-at-itself', () => pointLocator((archive) => offsetOf(archive, 'PK\x06\x07'))],
  ['large-end-whose-locator-points-at-0', () => pointLocator(() => 0)],
  ['large-end-whose-locator-points-beyond', () => pointLocator((archive) => archive.length - 8)],
  ['large-end-without-its-record', () => changeEnd(plain, { count: 65_535, directoryAt: 0xffffffff })],
  ['large-sizes-of-2^64', () => withExtra(Buffer.concat([le.u16(1, 16), u64(huge), u64(huge)]))],
  ['large-sizes-of-0', () => withExtra(Buffer.concat([le.u16(1, 16), u64(0n), u64(0n)]))],
  ['large-sizes-that-are-missing', () => withExtra(le.u16(1, 0))],
  ['large-sizes-longer-than-their-row', () => withExtra(Buffer.concat([le.u16(1, 0xfff0), u64(9n)]))],
  ['10000-extra-fields-of-no-bytes', () => withExtra(Buffer.alloc(40_000, le.u16(7, 0)))],
  ['comment-of-64-KiB', () => changeEnd(plain, { comment: Buffer.alloc(65_535, 'x') })],
  ['comment-of-16000-end-marks', () => changeEnd(plain, { comment: Buffer.alloc(65_535, 'PK\x05\x06') })],
  [
    'comment-with-a-whole-archive',
    () => changeEnd(plain, { comment: makeArchive([{ name: 'evil.exe', data: 'MZ' }]) }),
  ],
  ['comment-with-an-end-of-no-entry', () => changeEnd(plain, { comment: joinArchive(latin(''), []) })],
  ['comment-that-is-missing', () => overwrite(plain, plain.length - 2, le.u16(500))],
  ['directory-in-the-middle', () => Buffer.concat([...halves(), Buffer.alloc(50_000, 'x'), plain.subarray(-22)])],
  ['100-KiB-after-the-end', () => Buffer.concat([plain, Buffer.alloc(100_000, 'x')])],
  ['a-second-package-after-the-end', () => Buffer.concat([plain, plain])],
  ['no-directory', () => halves()[0]],
  ['half-a-directory', () => plain.subarray(0, plain.length - 100)],
  ['no-entry-at-all', () => joinArchive(latin(''), []), refused],
  ['a-mark-of-several-disks-in-front', () => Buffer.concat([latin('PK\x07\x08'), plain]), refused],
  ['1-MiB-in-front', () => Buffer.concat([Buffer.alloc(1_048_576, 1), plain]), refused],
];

const directoryBytesOf = (archive: Buffer) => archive.readUInt32LE(archive.length - 22 + 12);

function pointLocator(at: (archive: Buffer) => number): Buffer {
  const archive = withZip64End(plain);
  const changed = Buffer.from(archive);
  changed.writeBigUInt64LE(BigInt(at(archive)), offsetOf(archive, 'PK\x06\x07') + 8);
  return changed;
}

function halves(): [Buffer, Buffer] {
  const { body, rows } = splitArchive(plain);
  return [body, Buffer.concat(rows)];
}

const sized = (name: string) => docx({ name, data: 'x'.repeat(2000), isStored: true });
const renamed = (name: string, count: number) =>
  changeRows(sized(part), (rows) => [...rows, ...copies(rows, name, count)]);
const copies = (rows: Buffer[], name: string, count: number) =>
  Array<Buffer>(count).fill(renameRow(rows.at(-1) as Buffer, name));

const empty = (count: number, name: string) => numbered(count, name).map((one) => ({ name: one, data: '' }));

const names: Row[] = [
  ['200-names-of-64-KiB', () => renamed(`word/${'x'.repeat(65_000)}`, 200)],
  ['300-names-of-64-KiB-of-slashes', () => renamed('/'.repeat(65_000), 300)],
  ['200-names-of-64-KiB-of-dots', () => renamed('../'.repeat(21_000), 200)],
  ['200-names-of-64-KiB-of-macro-sheets', () => renamed('/macrosheets'.repeat(5000), 200)],
  ['names-of-no-byte', () => renamed('', 1000)],
  ['names-that-climb', () => repeatRow(sized(part), part, 500, (i) => `${'../'.repeat(i)}etc/passwd`)],
  [
    'names-with-drives-and-shares',
    () => repeatRow(sized(part), part, 60, (i) => (i % 2 ? `C:\\${i}` : `\\\\host\\${i}`)),
  ],
  ['names-with-nul', () => repeatRow(sized(part), part, 60, (i) => `word/${i}.jpg\0.exe`)],
  ['names-of-control-characters', () => repeatRow(sized(part), part, 200, (i) => `\x1b[2J\r\n\x07${i}\xff\xfe`)],
  ['5000-rows-for-one-entry', () => renamed(part, 5000)],
  ['19000-names-for-one-entry', () => repeatRow(sized(part), part, 19_000, (i) => `word/${i}.xml`)],
  ['21000-rows', () => repeatRow(sized(part), part, 21_000, (i) => `word/${i}.xml`)],
  ['70000-rows', () => repeatRow(sized(part), part, 70_000, (i) => `${i}`)],
  ['21000-entries', () => makeOfficeFile('docx', empty(21_000, 'w/#'))],
  [
    '5000-rows-for-the-types',
    () => changeRows(sized(part), (rows) => [...rows, ...Array<Buffer>(5000).fill(rows[0] as Buffer)]),
  ],
  ['500-types-in-a-row', () => docx(...Array.from({ length: 500 }, () => ({ name: types, data: '<Types/>' })))],
  [
    'names-that-differ-in-the-directory',
    () => changeRows(sized(part), ([first, second]) => [first, renameRow(second as Buffer, 'x.exe')] as Buffer[]),
  ],
  [
    'the-types-come-last',
    () =>
      makeArchive([
        { name: part, data: '<a/>' },
        { name: types, data: '<Types/>' },
      ]),
    refusedOrNot,
  ],
  [
    'the-types-after-1100-parts',
    () => makeArchive([...empty(1100, 'word/#.xml'), { name: types, data: '' }]),
    refusedOrNot,
  ],
];

const anyMethods = [1, 9, 12, 14, 93, 95, 98, 99, 0xffff];
const entries: Row[] = [
  ...anyMethods.map(
    (method): Row => [
      `packed-by-method-${method}`,
      () => claim(plain, [part, '_rels/.rels', 'docProps/core.xml'], { method }),
    ],
  ),
  ['types-packed-by-method-99', () => claim(plain, types, { method: 99 }), refused],
  ['encrypted-part', () => claim(plain, part, { flags: 1 })],
  [
    'all-parts-encrypted',
    () => claim(plain, [types, part, '_rels/.rels', 'docProps/core.xml'], { flags: 1 }),
    refusedOrNot,
  ],
  ['strongly-encrypted-with-a-hidden-directory', () => claim(plain, [types, part], { flags: 0x2041 }), refusedOrNot],
  ['sizes-that-follow-the-data', () => claim(plain, part, { flags: 8, packedBytes: 0, sizeBytes: 0 }, ['header'])],
  [
    'types-whose-size-follows-the-data',
    () => claim(plain, types, { flags: 8, packedBytes: 0, sizeBytes: 0 }, ['header']),
    refusedOrNot,
  ],
  ['packed-sizes-of-4-GiB', () => claim(plain, [part, '_rels/.rels'], { packedBytes: 0xfffffffe })],
  ['types-of-4-GiB', () => claim(plain, types, { packedBytes: 0xfffffffe }), refused],
  ['packed-sizes-of-0', () => claim(plain, [part, '_rels/.rels', 'docProps/core.xml'], { packedBytes: 0 }, ['row'])],
  ['deflate-cut-short', () => claim(plain, [part, '_rels/.rels', 'docProps/core.xml'], { packedBytes: 9 }, ['row'])],
  ['types-cut-short', () => claim(plain, types, { packedBytes: 20 }), refused],
  ['stored-parts-that-say-deflate', () => claim(sized('_rels/.rels'), '_rels/.rels', { method: 8 })],
  ['names-longer-than-the-file', () => claim(plain, part, { nameBytes: 0xffff }, ['header'])],
  [
    'entries-inside-each-other',
    () =>
      changeRows(sized(part), (rows) => [
        ...rows,
        ...Array.from({ length: 900 }, (_, i) => moveRow(rows[1] as Buffer, i)),
      ]),
  ],
  [
    'entries-in-the-directory',
    () => changeRows(sized(part), (rows) => rows.map((row, i) => (i ? moveRow(row, sized(part).length - 60) : row))),
  ],
  ['entries-beyond-the-file', () => changeRows(sized(part), (rows) => rows.map((row) => moveRow(row, 0xfffffffe)))],
  ['a-package-cut-in-its-types', () => plain.subarray(0, 90), refused],
];

export const archiveStructure: Recipe[] = recipesOf('archive', 'a.docx', [...ends, ...names, ...entries]);
