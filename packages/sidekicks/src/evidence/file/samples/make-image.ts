import { crc32, deflateSync } from 'node:zlib';

/** A PNG that declares this size, with the pixel data of a single row. */
export function makePng(width: number, height: number, frames?: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const animation = Buffer.alloc(8);
  animation.writeUInt32BE(frames ?? 1, 0);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    ...(frames ? [pngChunk('acTL', animation)] : []),
    pngChunk('IDAT', deflateSync(Buffer.alloc(64))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

export function pngChunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** A TIFF with one directory, in either byte order; the directory may point to itself as the next one. */
export function makeTiff(width: number, height: number, isLittle = true, isCircular = false): Buffer {
  const file = Buffer.alloc(8 + 2 + 24 + 4);
  const write16 = (value: number, at: number) =>
    isLittle ? file.writeUInt16LE(value, at) : file.writeUInt16BE(value, at);
  const write32 = (value: number, at: number) =>
    isLittle ? file.writeUInt32LE(value, at) : file.writeUInt32BE(value, at);
  file.write(isLittle ? 'II' : 'MM', 'latin1');
  write16(42, 2);
  write32(8, 4);
  write16(2, 8);
  for (const [i, [tag, value]] of [
    [256, width],
    [257, height],
  ].entries() as IterableIterator<[number, [number, number]]>) {
    write16(tag, 10 + i * 12);
    write16(4, 12 + i * 12);
    write32(1, 14 + i * 12);
    write32(value, 18 + i * 12);
  }
  write32(isCircular ? 8 : 0, 34);
  return file;
}

/** A BigTIFF: the variant for files above 4 GiB, with wider fields. */
export function makeBigTiff(width: number, height: number): Buffer {
  const file = Buffer.alloc(16 + 8 + 40 + 8);
  file.write('II', 'latin1');
  file.writeUInt16LE(43, 2);
  file.writeUInt16LE(8, 4);
  file.writeBigUInt64LE(16n, 8);
  file.writeBigUInt64LE(2n, 16);
  for (const [at, tag, value] of [
    [24, 256, width],
    [44, 257, height],
  ] as const) {
    file.writeUInt16LE(tag, at);
    file.writeUInt16LE(4, at + 2);
    file.writeBigUInt64LE(1n, at + 4);
    file.writeUInt32LE(value, at + 12);
  }
  return file;
}

/** Overwrites bytes of a valid file. */
export function patchBytes(file: Uint8Array, at: number, bytes: readonly number[]): Buffer {
  const copy = Buffer.from(file);
  copy.set(bytes, at);
  return copy;
}

/** Changes the width and height in the start-of-frame segment. */
export function resizeJpeg(file: Uint8Array, width: number, height: number): Buffer {
  const copy = Buffer.from(file);
  let at = 2;
  while (copy[at] === 0xff && ![0xc0, 0xc1, 0xc2].includes(copy[at + 1] as number)) at += 2 + copy.readUInt16BE(at + 2);
  copy.writeUInt16BE(height, at + 5);
  copy.writeUInt16BE(width, at + 7);
  return copy;
}
