const width = 64;
const height = 16;

/** Bitmap subtitles: a PGS stream (.sup) that shows a bar from `startMs` to `endMs`. */
export function makeBitmapCaptions(startMs: number, endMs: number): Buffer {
  const window = Buffer.concat([Buffer.from([1, 0]), uint16Bytes(0, 0, width, height)]);
  const palette = Buffer.from([0, 0, 1, 235, 128, 128, 255]);
  return Buffer.concat([
    segment(startMs, 0x16, composition(0x80, true)),
    segment(startMs, 0x17, window),
    segment(startMs, 0x14, palette),
    segment(startMs, 0x15, barImage()),
    segment(startMs, 0x80, Buffer.alloc(0)),
    segment(endMs, 0x16, composition(0, false)),
    segment(endMs, 0x17, window),
    segment(endMs, 0x80, Buffer.alloc(0)),
  ]);
}

function composition(state: number, isShown: boolean): Buffer {
  const head = Buffer.concat([
    uint16Bytes(160, 90),
    Buffer.from([0x10, 0, isShown ? 0 : 1, state, 0, 0, isShown ? 1 : 0]),
  ]);
  return isShown ? Buffer.concat([head, uint16Bytes(0), Buffer.from([0, 0]), uint16Bytes(0, 0)]) : head;
}

function barImage(): Buffer {
  const row = Buffer.from([0, 0x80 | 63, 1, 1, 0, 0]); // 63 pixels of colour 1, one more such pixel, end of row
  const rows = Buffer.concat(Array.from({ length: height }, () => row));
  const lengthBytes = Buffer.alloc(3);
  lengthBytes.writeUIntBE(rows.length + 4, 0, 3);
  return Buffer.concat([Buffer.from([0, 0, 0, 0xc0]), lengthBytes, uint16Bytes(width, height), rows]);
}

function segment(timeMs: number, type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(13);
  head.write('PG', 'latin1');
  head.writeUInt32BE(timeMs * 90, 2);
  head.writeUInt8(type, 10);
  head.writeUInt16BE(data.length, 11);
  return Buffer.concat([head, data]);
}

function uint16Bytes(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [i, value] of values.entries()) bytes.writeUInt16BE(value, i * 2);
  return bytes;
}
