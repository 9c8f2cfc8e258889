import { makeArchive, type Part } from '@assay/testing/media/make-office.ts';
import { latin, le, overwrite } from './bytes.ts';

const endBytes = 22;
const rowBytes = 46;
/** Fields that a directory entry and a local header have in common, and their offsets in each. */
const fields = { flags: 2, method: 4, packedBytes: 14, sizeBytes: 18, nameBytes: 22 } as const;
const sharedAt = { row: 6, header: 4 } as const;
const headerAtField = 42;

type Places = readonly (keyof typeof sharedAt)[];
type EndClaims = { count?: number; directoryBytes?: number; directoryAt?: number; comment?: Uint8Array };

/** An archive without a comment, split into what precedes its directory and the directory entries. */
export function splitArchive(archive: Buffer): { body: Buffer; rows: Buffer[] } {
  const end = archive.length - endBytes;
  const directoryAt = archive.readUInt32LE(end + 16);
  const rows: Buffer[] = [];
  for (let at = directoryAt; at < end; at += rows.at(-1)?.length ?? end) {
    const moreBytes = [28, 30, 32].map((field) => archive.readUInt16LE(at + field));
    rows.push(archive.subarray(at, at + rowBytes + moreBytes.reduce((sum, bytes) => sum + bytes)));
  }
  return { body: archive.subarray(0, directoryAt), rows };
}

export function joinArchive(body: Uint8Array, rows: readonly Uint8Array[], claims: EndClaims = {}): Buffer {
  const directory = Buffer.concat(rows);
  const { count = rows.length, comment = latin('') } = claims;
  const { directoryBytes = directory.length, directoryAt = body.length } = claims;
  const end = [le.u16(0, 0, count, count), le.u32(directoryBytes, directoryAt), le.u16(comment.length), comment];
  return Buffer.concat([body, directory, latin('PK\x05\x06'), ...end]);
}

/** The archive with other directory entries. */
export function changeRows(archive: Buffer, change: (rows: Buffer[]) => Uint8Array[], claims?: EndClaims): Buffer {
  const { body, rows } = splitArchive(archive);
  return joinArchive(body, change(rows), claims);
}

/** The archive with another end record. */
export const changeEnd = (archive: Buffer, claims: EndClaims) => changeRows(archive, (rows) => rows, claims);

const nameOfRow = (row: Buffer) => row.toString('latin1', rowBytes, rowBytes + row.readUInt16LE(28));

/** Changes fields of these entries, in the directory and in their local headers. */
export function claim(
  archive: Buffer,
  names: string | readonly string[],
  claims: Partial<Record<keyof typeof fields, number>>,
  places: Places = ['row', 'header'],
): Buffer {
  const write = (bytes: Buffer, at: number) => {
    for (const [field, value] of Object.entries(claims) as [keyof typeof fields, number][]) {
      const number = fields[field] >= 14 && field !== 'nameBytes' ? le.u32(value) : le.u16(value);
      bytes.set(number, at + fields[field]);
    }
  };
  const selected = new Set([names].flat());
  const { body, rows } = splitArchive(Buffer.from(archive));
  for (const row of rows) {
    if (!selected.has(nameOfRow(row))) continue;
    if (places.includes('row')) write(row, sharedAt.row);
    if (places.includes('header')) write(body, row.readUInt32LE(headerAtField) + sharedAt.header);
  }
  return joinArchive(body, rows);
}

/** Adds this many directory entries that all point to the entry of this name. */
export function repeatRow(archive: Buffer, name: string, count: number, nameOf?: (i: number) => string): Buffer {
  return changeRows(archive, (rows) => {
    const row = rows.find((one) => nameOfRow(one) === name) as Buffer;
    return [...rows, ...Array.from({ length: count }, (_, i) => (nameOf ? renameRow(row, nameOf(i)) : row))];
  });
}

export function renameRow(row: Buffer, name: string): Buffer {
  const renamed = Buffer.concat([row.subarray(0, rowBytes), latin(name)]);
  return overwrite(renamed, 28, le.u16(name.length, 0, 0));
}

/** A directory entry that points to this offset. */
export const moveRow = (row: Buffer, headerAt: number) => overwrite(row, headerAtField, le.u32(headerAt));

/** This many names from a pattern, with `#` replaced by the number of each. */
export const numbered = (count: number, name: string) =>
  Array.from({ length: count }, (_, i) => name.replace('#', `${i}`));

/** Parts whose bytes are already compressed, so that many can share the same bytes. */
export const packedParts = (names: readonly string[], packed: Buffer, sizeBytes: number): Part[] =>
  names.map((name) => ({ name, data: packed, isStored: true, declaredBytes: sizeBytes }));

const mainTypes = {
  docx: 'wordprocessingml.document',
  xlsx: 'spreadsheetml.sheet',
  pptx: 'presentationml.presentation',
} as const;
export type OfficeKind = keyof typeof mainTypes;

export const contentTypes = (kind: OfficeKind) =>
  `<Types><Override ContentType="application/vnd.openxmlformats-officedocument.${mainTypes[kind]}.main+xml"/></Types>`;

/** A minimal Office package with these parts. */
export const office = (kind: OfficeKind, ...parts: Part[]) =>
  makeArchive([{ name: '[Content_Types].xml', data: contentTypes(kind), isStored: true }, ...parts]);

export const docx = (...parts: Part[]) => office('docx', ...parts);
