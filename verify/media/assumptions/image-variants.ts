import { be, latin, le, u8 } from '#verify/security/poison/formats/bytes.ts';

/** EXIF with the position 51.5005, -0.1205. */
export function exif(): Buffer {
  const rational = (...values: number[]) => le.u32(...values.flatMap((value) => [Math.round(value * 10_000), 10_000]));
  const entry = (tag: number, type: number, count: number, value: Uint8Array) =>
    Buffer.concat([le.u16(tag, type), le.u32(count), value]);
  const gpsAt = 8 + 2 + 12 + 4;
  const valuesAt = gpsAt + 2 + 4 * 12 + 4;
  return Buffer.concat([
    ...[latin('II*\0'), le.u32(8), le.u16(1), entry(0x8825, 4, 1, le.u32(gpsAt)), le.u32(0)],
    ...[le.u16(4), entry(1, 2, 2, latin('N\0\0\0')), entry(2, 5, 3, le.u32(valuesAt))],
    ...[entry(3, 2, 2, latin('W\0\0\0')), entry(4, 5, 3, le.u32(valuesAt + 24)), le.u32(0)],
    ...[rational(51, 30, 1.8), rational(0, 7, 13.8)],
  ]);
}

/** A JPEG with a segment after its first marker. */
function withSegment(image: Buffer, marker: number, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([image.subarray(0, 2), u8(0xff, marker), be.u16(body.length + 2), body, image.subarray(2)]);
}

export const withExif = (image: Buffer) => withSegment(image, 0xe1, latin('Exif\0\0'), exif());

/** Adds a page that has nothing but a position. The first directory of ffmpeg's files is followed by no other. */
export function withSecondPage(tiff: Buffer): Buffer {
  const directoryAt = tiff.readUInt32LE(4);
  const nextAt = directoryAt + 2 + 12 * tiff.readUInt16LE(directoryAt);
  const at = tiff.length + (tiff.length % 2);
  const page = exif().subarray(8);
  const shifted = Buffer.from(page);
  const shift = at - 8;
  // The offset of the GPS directory, and in it those of the two positions.
  for (const offset of [10, 18 + 2 + 12 + 8, 18 + 2 + 36 + 8])
    shifted.writeUInt32LE(shifted.readUInt32LE(offset) + shift, offset);
  const linked = Buffer.from(tiff);
  linked.writeUInt32LE(at, nextAt);
  return Buffer.concat([linked, Buffer.alloc(at - tiff.length), shifted]);
}

/** The graphic control extensions of a GIF: the delay is 4 bytes after their start. */
export function withoutDelays(animation: Buffer): Buffer {
  const changed = Buffer.from(animation);
  const control = latin('\x21\xf9\x04');
  for (let at = changed.indexOf(control); at >= 0; at = changed.indexOf(control, at + 1))
    changed.writeUInt16LE(0, at + 4);
  return changed;
}
