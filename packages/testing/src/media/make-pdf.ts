import { deflateSync } from 'node:zlib';

export type PdfParts = {
  /** Additional entries of the document catalogue. */
  catalog?: string;
  /** Bodies of objects, numbered from 4. */
  objects?: (string | Buffer)[];
  /** Bodies of objects in a compressed object stream, numbered from 100. */
  packed?: string[];
  trailer?: string;
  header?: string;
  /** The content stream of the page. */
  page?: string;
};

const keyBytes = '00112233445566778899aabbccddeeff'.repeat(2);

/** The trailer of a PDF that needs a password. */
export const passwordTrailer = `/ID [<${keyBytes}> <${keyBytes}>] /Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O <${keyBytes}> /U <${keyBytes}> >>`;

/** A small PDF with one page. Cross-references to packed objects are missing, which PDF readers repair. */
export function makePdf({ catalog = '', objects = [], packed, trailer = '', header, page }: PdfParts = {}): Buffer {
  const content = deflateSync(Buffer.from(page ?? 'BT /F1 12 Tf 72 720 Td (Hello) Tj ET'));
  const bodies: (string | Buffer)[] = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    streamObject('/Filter /FlateDecode', content),
    ...objects,
    ...(packed ? [objectStream(packed)] : []),
  ];
  const chunks: Buffer[] = [];
  const offsets: number[] = [];
  let at = 0;
  const write = (chunk: Buffer) => {
    chunks.push(chunk);
    at += chunk.length;
  };
  write(Buffer.from(header ?? '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1'));
  for (const [i, body] of bodies.entries()) {
    offsets.push(at);
    write(Buffer.from(`${i + 1} 0 obj\n`));
    write(Buffer.from(body as string, 'latin1'));
    write(Buffer.from('\nendobj\n'));
  }
  const xrefAt = at;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  chunks.push(
    Buffer.from(
      `xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${offsets.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${xrefAt}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(chunks);
}

export function streamObject(entries: string, data: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`<< ${entries} /Length ${data.length} >>\nstream\n`),
    data,
    Buffer.from('\nendstream'),
  ]);
}

/** An object stream whose bytes are encoded by `pack`. */
export function objectStream(
  bodies: string[],
  filter = '/Filter /FlateDecode',
  pack: (plain: Buffer) => Buffer = (plain) => deflateSync(plain),
): Buffer {
  let at = 0;
  const pairs = bodies.map((body, i) => {
    const pair = `${100 + i} ${at}`;
    at += body.length + 1;
    return pair;
  });
  const head = `${pairs.join(' ')} `;
  const plain = Buffer.from(head + bodies.join(' '), 'latin1');
  return streamObject(`/Type /ObjStm /N ${bodies.length} /First ${head.length} ${filter}`, pack(plain));
}
