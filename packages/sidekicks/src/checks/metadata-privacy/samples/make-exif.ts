type Entry = [tag: number, type: keyof typeof typeNumbers, value: string | number | Buffer];

const typeNumbers = { ascii: 2, long: 4, rational: 5, bytes: 7 } as const;

/** A JPEG whose EXIF block contains a maker and maker notes. No tool can write the proprietary format of the notes. */
export function withMakerNotes(jpeg: Uint8Array, maker: string, notes: (at: number) => Buffer): Buffer {
  const makerBytes = Buffer.byteLength(maker) + 1;
  const exifAt = 8 + directoryBytes(2) + makerBytes + (makerBytes % 2);
  return withExif(
    jpeg,
    makeDirectory(8, [
      [0x010f, 'ascii', maker],
      [0x8769, 'long', exifAt],
    ]),
    makeDirectory(exifAt, [[0x927c, 'bytes', notes(exifAt + directoryBytes(1))]]),
  );
}

/** A JPEG with the GPS position 48°51'29.6" N, 2°17'40.2" E. */
export function withPosition(jpeg: Uint8Array): Buffer {
  const gpsAt = 8 + directoryBytes(1);
  const degrees = (...parts: number[]) => {
    const bytes = Buffer.alloc(24);
    for (const [i, part] of parts.entries()) {
      bytes.writeUInt32BE(Math.round(part * 10), i * 8);
      bytes.writeUInt32BE(10, i * 8 + 4);
    }
    return bytes;
  };
  return withExif(
    jpeg,
    makeDirectory(8, [[0x8825, 'long', gpsAt]]),
    makeDirectory(gpsAt, [
      [1, 'ascii', 'N'],
      [2, 'rational', degrees(48, 51, 29.6)],
      [3, 'ascii', 'E'],
      [4, 'rational', degrees(2, 17, 40.2)],
    ]),
  );
}

function withExif(jpeg: Uint8Array, ...directories: Buffer[]): Buffer {
  const header = Buffer.from([0x4d, 0x4d, 0, 42, 0, 0, 0, 8]);
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), header, ...directories]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(body.length + 2);
  return Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe1]), length, body, jpeg.subarray(2)]);
}

/** Canon maker notes are a plain directory whose offsets are relative to the start of the EXIF block. */
export function canonNotes(owner: string, serial: number): (at: number) => Buffer {
  return (at) =>
    makeDirectory(at, [
      [0x0006, 'ascii', 'Canon EOS R5'],
      [0x0009, 'ascii', owner],
      [0x000c, 'long', serial],
    ]);
}

/** Apple maker notes start with a name; their offsets are relative to the start of this name. */
export function appleNotes(contentIdentifier: string): (at: number) => Buffer {
  const head = Buffer.from('Apple iOS\0\0\x01MM', 'latin1');
  return () => Buffer.concat([head, makeDirectory(head.length, [[0x0011, 'ascii', contentIdentifier]])]);
}

const directoryBytes = (entries: number) => 2 + entries * 12 + 4;

/** An EXIF directory at this offset, followed by the values that do not fit into its entries. */
function makeDirectory(at: number, entries: Entry[]): Buffer {
  const head = Buffer.alloc(directoryBytes(entries.length));
  head.writeUInt16BE(entries.length);
  const values: Buffer[] = [];
  let valueAt = at + head.length;
  for (const [i, [tag, type, value]] of entries.entries()) {
    const place = 2 + i * 12;
    const bytes =
      typeof value === 'string' ? Buffer.from(`${value}\0`) : typeof value === 'number' ? Buffer.alloc(0) : value;
    head.writeUInt16BE(tag, place);
    head.writeUInt16BE(typeNumbers[type], place + 2);
    head.writeUInt32BE(
      typeof value === 'number' ? 1 : type === 'rational' ? bytes.length / 8 : bytes.length,
      place + 4,
    );
    if (typeof value === 'number') head.writeUInt32BE(value, place + 8);
    else if (bytes.length <= 4) bytes.copy(head, place + 8);
    else {
      head.writeUInt32BE(valueAt, place + 8);
      const padded = Buffer.concat([bytes, Buffer.alloc(bytes.length % 2)]);
      values.push(padded);
      valueAt += padded.length;
    }
  }
  return Buffer.concat([head, ...values]);
}
