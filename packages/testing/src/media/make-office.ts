import { crc32, deflateRawSync } from 'node:zlib';

export type Part = {
  name: string;
  data: string | Buffer;
  /** Whether the entry is stored instead of deflated. */
  isStored?: boolean;
  isEncrypted?: boolean;
  /** The size that the directory declares, instead of the actual size. */
  declaredBytes?: number;
  /** The index of the entry whose local header this entry points to. */
  sameBytesAs?: number;
};

/** A zip whose directory may contain false values. */
export function makeArchive(parts: Part[]): Buffer {
  const chunks: Buffer[] = [];
  const directory: Buffer[] = [];
  const offsets: number[] = [];
  let offset = 0;
  for (const part of parts) {
    const data = Buffer.from(part.data as string);
    const packed = part.isStored ? data : deflateRawSync(data);
    const name = Buffer.from(part.name, 'latin1');
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(part.isEncrypted ? 1 : 0, 2);
    fields.writeUInt16LE(part.isStored ? 0 : 8, 4);
    fields.writeUInt32LE(crc32(data), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(part.declaredBytes ?? data.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const at = part.sameBytesAs === undefined ? offset : (offsets[part.sameBytesAs] as number);
    offsets.push(at);
    if (part.sameBytesAs === undefined) {
      const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, name, packed]);
      chunks.push(local);
      offset += local.length;
    }
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, tail, name]));
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...chunks, central, end]);
}

const officeTypes = {
  docx: ['word/document.xml', 'wordprocessingml.document'],
  xlsx: ['xl/workbook.xml', 'spreadsheetml.sheet'],
  pptx: ['ppt/presentation.xml', 'presentationml.presentation'],
} as const;

/** A document with the structure of one written by Office, with optional further parts and content types. */
export function makeOfficeFile(kind: keyof typeof officeTypes, more: Part[] = [], moreTypes = ''): Buffer {
  const [main, type] = officeTypes[kind];
  const types = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/>${moreTypes}</Types>`;
  return makeArchive([
    { name: '[Content_Types].xml', data: types },
    { name: '_rels/.rels', data: relationships([['officeDocument', main, false]]) },
    { name: main, data: '<?xml version="1.0"?><document/>' },
    ...more,
  ]);
}

/** The content of a relationships part (`.rels`). */
export function relationships(rows: [kind: string, target: string, isExternal: boolean][]): string {
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const elements = rows.map(
    ([kind, target, isExternal], i) =>
      `<Relationship Id="rId${i}" Type="${type}/${kind}" Target="${target}"${isExternal ? ' TargetMode="External"' : ''}/>`,
  );
  return `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${elements.join('')}</Relationships>`;
}

/** The same archive with a ZIP64 end record, which some writers always use. */
export function withZip64End(archive: Buffer): Buffer {
  const end = Buffer.from(archive.subarray(-22));
  const record = Buffer.alloc(56);
  record.write('PK\x06\x06', 'latin1');
  record.writeBigUInt64LE(44n, 4);
  for (const at of [24, 32]) record.writeBigUInt64LE(BigInt(end.readUInt16LE(10)), at);
  record.writeBigUInt64LE(BigInt(end.readUInt32LE(12)), 40);
  record.writeBigUInt64LE(BigInt(end.readUInt32LE(16)), 48);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 'latin1');
  locator.writeBigUInt64LE(BigInt(archive.length - 22), 8);
  end.fill(0xff, 8, 20);
  return Buffer.concat([archive.subarray(0, -22), record, locator, end]);
}
