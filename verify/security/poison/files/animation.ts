import { crc32, deflateSync } from 'node:zlib';
import { be, latin, le, u8 } from '../formats/bytes.ts';

const palette = u8(0, 0, 0, 255, 255, 255);
/** One pixel in LZW: clear, the pixel, end. */
const onePixel = u8(0x02, 0x02, 0x44, 0x01, 0x00);
const trailer = u8(0x3b);

export const gifHeader = (width: number, height: number) =>
  Buffer.concat([latin('GIF89a'), le.u16(width, height), u8(0x80, 0, 0), palette]);

/** A block that makes the animation loop forever. */
export const gifLoop = Buffer.concat([u8(0x21, 0xff, 11), latin('NETSCAPE2.0'), u8(3, 1, 0, 0, 0)]);

/** A frame of this size at this position; the file contains only one of its pixels. */
export const gifFrame = (delayHundredths: number, width = 1, height = 1, left = 0, top = 0) =>
  Buffer.concat([
    ...[u8(0x21, 0xf9, 4, 0), le.u16(delayHundredths), u8(0, 0)],
    ...[u8(0x2c), le.u16(left, top, width, height), u8(0)],
    onePixel,
  ]);

export const gif = (width: number, height: number, ...blocks: Uint8Array[]) =>
  Buffer.concat([gifHeader(width, height), ...blocks, trailer]);

export const pngSignature = u8(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

export const pngChunk = (type: string, ...parts: Uint8Array[]) => {
  const named = Buffer.concat([latin(type), ...parts]);
  return Buffer.concat([be.u32(named.length - 4), named, be.u32(crc32(named))]);
};

export const pngHeader = (width: number, height: number) => pngChunk('IHDR', be.u32(width, height), u8(8, 0, 0, 0, 0));

/** Compressed black rows, 1000 times smaller than their decoded size. */
export const blackRows = (width: number, height: number) => deflateSync(Buffer.alloc((width + 1) * height));

/** The file contains only the first rows of a large image; a decoder that trusts the header allocates all of them. */
const rowsMax = 100;

export type ApngFrame = { width: number; height: number; left?: number; top?: number; delay: [number, number] };

/** An animated PNG: the first frame is the image itself, the others follow. */
export function apng(width: number, height: number, frames: readonly ApngFrame[], claimedFrames = frames.length) {
  let sequence = 0;
  const packed = new Map<string, Buffer>();
  const rowsOf = (w: number, h: number) => {
    const rows = packed.get(`${w}x${h}`) ?? blackRows(w, h);
    packed.set(`${w}x${h}`, rows);
    return rows;
  };
  const parts = frames.map(({ width: w, height: h, left = 0, top = 0, delay }, i) => {
    const control = pngChunk('fcTL', be.u32(sequence++, w, h, left, top), be.u16(...delay), u8(0, 0));
    const rows = rowsOf(Math.min(w, width), Math.min(h, height, rowsMax));
    return Buffer.concat([control, i === 0 ? pngChunk('IDAT', rows) : pngChunk('fdAT', be.u32(sequence++), rows)]);
  });
  const control = pngChunk('acTL', be.u32(claimedFrames, 0));
  return Buffer.concat([pngSignature, pngHeader(width, height), control, ...parts, pngChunk('IEND')]);
}
