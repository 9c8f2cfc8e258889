import { makeArchive, type Part } from '@assay/testing/media/make-office.ts';
import { latin, le, overwrite } from './bytes.ts';

const endBytes = 22;
const rowBytes = 46;
/**
 * The fields that a directory entry and a local header have in common, and the offset at which these fields start in
 * each.
 */
const commonFields = { flags: 2, method: 4, packedBytes: 14, sizeBytes: 18, nameBytes: 22 } as const;
const commonFieldsOffset = { row: 6, header: 4 } as const;
const localHeaderOffsetField = 42;

type Places = readonly (keyof typeof commonFieldsOffset)[];
type EndClaims = { count?: number; directoryBytes?: number; directoryAt?: number; comment?: Uint8Array };

/** Splits an archive without a comment into what precedes its directory and the directory entries. */
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

/** Returns the archive with its directory entries changed. */
export function changeRows(archive: Buffer, change: (rows: Buffer[]) => Uint8Array[], claims?: EndClaims): Buffer {
  const { body, rows } = splitArchive(archive);
  return joinArchive(body, change(rows), claims);
}

/** Returns the archive with claims in its end record changed. */
export const changeEnd = (archive: Buffer, claims: EndClaims) => changeRows(archive, (rows) => rows, claims);

const nameOfRow = (row: Buffer) => row.toString('latin1', rowBytes, rowBytes + row.readUInt16LE(28));

/** Changes fields of these entries, in the directory and in their local headers. */
export function changeFields(
  archive: Buffer,
  names: string | readonly string[],
  claims: Partial<Record<keyof typeof commonFields, number>>,
  places: Places = ['row', 'header'],
): Buffer {
  const write = (bytes: Buffer, at: number) => {
    for (const [field, value] of Object.entries(claims) as [keyof typeof commonFields, number][]) {
      const number = commonFields[field] >= 14 && field !== 'nameBytes' ? le.u32(value) : le.u16(value);
      bytes.set(number, at + commonFields[field]);
    }
  };
  const selected = new Set([names].flat());
  const { body, rows } = splitArchive(Buffer.from(archive));
  for (const row of rows) {
    if (!selected.has(nameOfRow(row))) continue;
    if (places.includes('row')) write(row, commonFieldsOffset.row);
    if (places.includes('header')) write(body, row.readUInt32LE(localHeaderOffsetField) + commonFieldsOffset.header);
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

/** Returns the directory entry with a different offset of its local header. */
export const pointRowTo = (row: Buffer, headerAt: number) => overwrite(row, localHeaderOffsetField, le.u32(headerAt));

/** Makes this many names from a pattern by replacing `#` with the number of each. */
export const numberedNames = (count: number, name: string) =>
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
