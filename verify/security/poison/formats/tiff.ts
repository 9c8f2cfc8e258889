import { be, latin, le, u8 } from './bytes.ts';

/** A directory entry: tag, type, count, and its value or the value's offset. */
export type Field = [tag: number, type: number, count: number, value: number];

export const fieldTypes = { text: 2, short: 3, long: 4, bytes: 7 } as const;
export const fieldTags = {
  ...{ width: 256, height: 257, description: 270, strips: 273, stripBytes: 279 },
  ...{ subDirectories: 330, thumbnailAt: 513, thumbnailBytes: 514, xmp: 700 },
  ...{ exif: 0x8769, position: 0x8825, makerNotes: 0x927c, colours: 0x8773 },
} as const;

export const directory = (fields: readonly Field[], next = 0) =>
  Buffer.concat([
    le.u16(fields.length),
    ...fields.map(([tag, type, count, value]) => Buffer.concat([le.u16(tag, type), le.u32(count, value)])),
    le.u32(next),
  ]);

export const directoryBytes = (fields: number) => 2 + 12 * fields + 4;

/** A little-endian TIFF whose first directory starts at offset 8. */
export const tiff = (...parts: Uint8Array[]) => Buffer.concat([latin('II*\0'), le.u32(8), ...parts]);

export const sizeFields = (width: number, height: number): Field[] => [
  [fieldTags.width, fieldTypes.long, 1, width],
  [fieldTags.height, fieldTypes.long, 1, height],
];

/** Consecutive directories, each pointing to the next; the last one points to `last`. */
export const directoryChain = (count: number, fields: (i: number) => Field[], last = 0) => {
  const bytes = directoryBytes(fields(0).length);
  return Buffer.concat(
    Array.from({ length: count }, (_, i) => directory(fields(i), i === count - 1 ? last : 8 + bytes * (i + 1))),
  );
};

/** Directories that refer to each other as subdirectories. */
export const directoryWeb = (count: number) =>
  directoryChain(count, (i) => [
    [fieldTags.subDirectories, fieldTypes.long, 1, 8 + directoryBytes(1) * ((i * 7) % count)],
  ]);

export const jpegSegment = (marker: number, ...parts: Uint8Array[]) => {
  const content = Buffer.concat(parts);
  return Buffer.concat([u8(0xff, marker), be.u16(content.length + 2), content]);
};

export const exifSegment = (...parts: Uint8Array[]) => jpegSegment(0xe1, latin('Exif\0\0'), tiff(...parts));

/** Returns the JPEG with these segments inserted after its start marker. */
export const insertAfterStart = (jpeg: Uint8Array, ...parts: Uint8Array[]) =>
  Buffer.concat([jpeg.subarray(0, 2), ...parts, jpeg.subarray(2)]);
