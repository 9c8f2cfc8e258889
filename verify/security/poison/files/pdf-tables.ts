import { deflateSync } from 'node:zlib';
import { makePdf, streamObject } from '@assay/testing/media/make-pdf.ts';
import { be, latin, MiB, u8 } from '../formats/bytes.ts';
import type { Recipe } from '../formats/recipe.ts';
import { heavyOutcomes, type Row, recipesOf } from '../formats/rows.ts';

/** A file whose cross-reference table is a stream of these bytes. */
const withTableStream = (entries: string, bytes: Buffer, startAt = 9) =>
  Buffer.concat([
    latin('%PDF-1.5\n'),
    latin('1 0 obj\n'),
    streamObject(`/Type /XRef /W [1 4 2] /Root 2 0 R ${entries}`, bytes),
    latin(`\nendobj\n2 0 obj\n<< /Type /Catalog >>\nendobj\nstartxref\n${startAt}\n%%EOF\n`),
  ]);
const entry = (kind: number, at: number, generation = 0) => Buffer.concat([u8(kind), be.u32(at), be.u16(generation)]);
const tableEnd = (table: string, startAt: number | string) =>
  latin(`%PDF-1.4\n${table}\nstartxref\n${startAt}\n%%EOF\n`);
const trailer = (entries: string) => `xref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 1 ${entries} >>`;

const tables: Row[] = [
  ['table-that-follows-itself', () => tableEnd(trailer('/Prev 9'), 9)],
  ['tables-that-follow-each-other', () => tableEnd(`${trailer('/Prev 69')}\n${trailer('/Prev 9')}`, 9)],
  ['50000-tables-in-a-chain', () => tableChain(50_000)],
  ['table-stream-that-follows-itself', () => withTableStream('/Size 2 /Prev 9', entry(1, 9))],
  ['table-and-stream-that-follow-each-other', () => tableEnd(trailer('/XRefStm 9 /Prev 9'), 9)],
  ['table-of-10^9-rows', () => tableEnd('xref\n0 1000000000\n0000000000 65535 f \ntrailer\n<< /Size 1000000000 >>', 9)],
  ['table-of-minus-one-row', () => tableEnd('xref\n0 -1\ntrailer\n<< /Size -1 >>', 9)],
  ['table-of-1-MiB-of-digits', () => tableEnd(`xref\n0 ${'9'.repeat(MiB)}\ntrailer\n<<>>`, 9)],
  ...['0', '-1', '99999999999999999999', '12 34', '', 'x'].map(
    (at, i): Row => [`table-place-${i}-is-wrong`, () => tableEnd(trailer(''), at)],
  ),
  [
    'table-stream-of-100-MiB',
    () => withTableStream('/Size 9 /Filter /FlateDecode', deflateSync(Buffer.alloc(100 * MiB))),
    heavyOutcomes,
  ],
  [
    'table-stream-of-100-MiB-that-is-taken-whole',
    () => withTableStream(`/Size 15000000 /Filter /FlateDecode`, deflateSync(Buffer.alloc(100 * MiB, entry(1, 9)))),
    { expected: heavyOutcomes, isSlow: true },
  ],
  [
    'table-stream-of-endless-columns',
    () => withTableStream('/Size 9 /W [2147483647 2147483647 2147483647]', entry(1, 9)),
  ],
  ['table-stream-of-no-columns', () => withTableStream('/Size 2147483647 /W [0 0 0]', entry(1, 9))],
  [
    'table-stream-whose-objects-are-in-itself',
    () => withTableStream('/Size 3 /Info 2 0 R', Buffer.concat([entry(0, 0), entry(1, 9), entry(2, 1)])),
  ],
];

/** A chain of tables: each points to the previous one, and a reader starts with the last. */
function tableChain(count: number): Buffer {
  const parts: string[] = [];
  let at = 9;
  let before = 9;
  for (let i = 0; i < count; i++) {
    const table = `${trailer(`/Prev ${before}`)}\n`;
    parts.push(table);
    before = at;
    at += table.length;
  }
  return tableEnd(parts.join(''), before);
}

const standard = (entries: string) => `/ID [<00><00>] /Encrypt << /Filter /Standard ${entries} >>`;
const strings = (bytes: number) => `/O <${'41'.repeat(bytes)}> /U <${'42'.repeat(bytes)}>`;
const encryptions: Record<string, string> = {
  'of-nothing': '/Encrypt 9 0 R',
  'that-is-the-catalogue': '/Encrypt 1 0 R',
  'of-40-bits': standard(`/V 1 /R 2 /P -4 ${strings(32)}`),
  'of-128-bits': standard(`/V 4 /R 4 /P -4 /Length 128 ${strings(32)} /CF << /StdCF << /CFM /AESV2 >> >> /StmF /StdCF`),
  'of-256-bits': standard(
    `/V 5 /R 6 /P -4 /Length 256 ${strings(48)} /OE <${'43'.repeat(32)}> /UE <${'44'.repeat(32)}>`,
  ),
  'of-256-bits-cut-short': standard('/V 5 /R 6 /P -4 /O <41> /U <42>'),
  'of-version-99': standard(`/V 99 /R 99 /P -4 ${strings(32)}`),
  'of-2^31-bits': standard(`/V 2 /R 3 /P -4 /Length 2147483647 ${strings(32)}`),
  'of-no-bits': standard(`/V 2 /R 3 /P -4 /Length 0 ${strings(32)}`),
  'of-1-MiB-of-keys': standard(`/V 2 /R 3 /P -4 /Length 128 ${strings(500_000)}`),
  'by-a-handler-that-nobody-has':
    '/Encrypt << /Filter /Adobe.PubSec /SubFilter /adbe.pkcs7.s5 /V 4 /Recipients [<00>] >>',
};
const encrypted: Row[] = Object.entries(encryptions).map(
  ([name, entries]): Row => [
    `encryption-${name}`,
    () => makePdf({ trailer: `${entries} /Info 4 0 R`, objects: ['<< /Title (x) >>'] }),
  ],
);

export const pdfTables: Recipe[] = recipesOf('pdf', 'a.pdf', [...tables, ...encrypted]);
