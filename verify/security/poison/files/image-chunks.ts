import { deflateSync } from 'node:zlib';
import { be, latin, le, MiB, overwrite, repeatBytes, u8 } from '../formats/bytes.ts';
import { externalEntities } from '../formats/entities.ts';
import type { Recipe, Verdict } from '../formats/recipe.ts';
import { chunk, chunkWithSize } from '../formats/riff.ts';
import { type Row, recipesOf, refusedOrNotOutcomes, refusedOutcomes } from '../formats/rows.ts';
import { directory, directoryChain, fieldTags, fieldTypes, tiff } from '../formats/tiff.ts';
import { blackRows, gif, gifFrame, gifHeader, gifLoop, pngChunk, pngHeader, pngSignature } from './animation.ts';

/** A GIF is decoded, because it may be animated; a damaged GIF may or may not be readable. */
const decodedOutcomes: readonly Verdict[] = [
  'complete',
  'corrupt_media',
  'unsupported_codec',
  'resource_limit_exceeded',
];

const pixels = pngChunk('IDAT', blackRows(16, 16));
const end = pngChunk('IEND');
/** A 16 × 16 image with these chunks before its pixels. */
const png = (...chunks: Uint8Array[]) => Buffer.concat([pngSignature, pngHeader(16, 16), ...chunks, pixels, end]);
const pngOf = (width: number, height: number) => Buffer.concat([pngSignature, pngHeader(width, height), pixels, end]);
const zeros = (bytes: number) => deflateSync(Buffer.alloc(bytes));
const packedText = (bytes: number) => pngChunk('zTXt', latin('Comment\0\0'), deflateSync(Buffer.alloc(bytes, 'x')));
const plainText = (text: string) => pngChunk('iTXt', latin('XML:com.adobe.xmp\0\0\0\0\0'), latin(text));
const profile = (text: string) => latin(`\nexif\n${text.length / 2}\n${text}\n`);

const pngs: Row[] = [
  ['png-of-no-size', () => pngOf(0, 0)],
  ['png-of-2^31-a-side', () => pngOf(2 ** 31 - 1, 2 ** 31 - 1)],
  ['png-of-2^32-a-side', () => pngOf(2 ** 32 - 1, 2 ** 32 - 1)],
  ['png-of-one-line-of-2^31', () => pngOf(2 ** 31 - 1, 1)],
  ['png-without-a-header', () => Buffer.concat([pngSignature, pixels, end]), refusedOrNotOutcomes],
  ['png-of-1000-headers', () => png(repeatBytes(1000, pngHeader(30_000, 30_000)))],
  [
    'png-whose-header-is-long',
    () => Buffer.concat([pngSignature, be.u32(0x7fffffff), latin('IHDR'), be.u32(9, 9)]),
    refusedOutcomes,
  ],
  ['png-chunk-beyond-the-file', () => png(overwrite(pngChunk('tEXt', latin('a\0b')), 0, be.u32(0x7fffffff)))],
  [
    'png-chunk-of-2^32-bytes',
    () => png(overwrite(pngChunk('tEXt', latin('a\0b')), 0, be.u32(0xffffffff))),
    refusedOrNotOutcomes,
  ],
  [
    'png-pixels-beyond-the-file',
    () => Buffer.concat([pngSignature, pngHeader(16, 16), be.u32(0x7fffffff), latin('IDAT')]),
  ],
  ['png-of-300000-empty-chunks', () => png(repeatBytes(300_000, pngChunk('aaAa')))],
  ['png-of-20000-empty-texts', () => png(repeatBytes(20_000, pngChunk('tEXt')))],
  ['png-of-300000-empty-texts', () => png(repeatBytes(300_000, pngChunk('tEXt'))), { isSlow: true }],
  ['png-of-300000-empty-pixels', () => png(repeatBytes(300_000, pngChunk('IDAT')))],
  ['png-of-30000-texts', () => png(repeatBytes(30_000, pngChunk('tEXt', latin('Author\0Ann'))))],
  [
    'png-of-4000-texts-of-4-KiB',
    () => png(...Array.from({ length: 4000 }, (_, i) => pngChunk('tEXt', latin(`k${i}\0${'/home/a'.repeat(580)}`)))),
  ],
  ['png-text-of-20-MiB', () => png(pngChunk('tEXt', latin('Comment\0'), Buffer.alloc(20 * MiB, 'x')))],
  ['png-text-of-50-MiB-in-50-KB', () => png(packedText(50 * MiB))],
  ['png-text-of-500-MiB-in-500-KB', () => png(packedText(500 * MiB)), { isSlow: true }],
  ['png-100-texts-of-5-MiB', () => png(repeatBytes(100, packedText(5 * MiB)))],
  ['png-text-that-does-not-unpack', () => png(pngChunk('zTXt', latin('Comment\0\0'), Buffer.alloc(100_000, 0xff)))],
  ['png-colours-of-100-MiB', () => png(pngChunk('iCCP', latin('x\0\0'), zeros(100 * MiB)))],
  ['png-colours-that-do-not-unpack', () => png(pngChunk('iCCP', latin('x\0\0'), Buffer.alloc(100_000, 0x78)))],
  [
    'png-xmp-of-50-MiB',
    () => png(pngChunk('iTXt', latin('XML:com.adobe.xmp\0\x01\0\0\0'), deflateSync(Buffer.alloc(50 * MiB, '<a>')))),
    { isSlow: true },
  ],
  ['png-xmp-20000-deep', () => png(plainText(`<x:xmpmeta>${'<a>'.repeat(20_000)}`))],
  ['png-xmp-of-entities', (fixture) => png(plainText(`${externalEntities(fixture)}<x:xmpmeta>&a;&b;`))],
  [
    'png-profile-of-hex-of-20-MiB',
    () => png(pngChunk('zTXt', latin('Raw profile type exif\0\0'), deflateSync(profile('00'.repeat(10 * MiB))))),
  ],
  [
    'png-exif-that-is-a-ring',
    () => png(pngChunk('eXIf', tiff(directoryChain(3000, () => [[fieldTags.exif, fieldTypes.long, 1, 8]], 8)))),
  ],
  [
    'png-pixels-of-200-MiB',
    () => Buffer.concat([pngSignature, pngHeader(1, 1), pngChunk('IDAT', zeros(200 * MiB)), end]),
  ],
  ['png-without-an-end', () => png().subarray(0, -12)],
  ['png-of-wrong-checksums', () => overwrite(overwrite(png(), 29, be.u32(7)), png().length - 4, be.u32(7))],
  ['png-mark-alone', () => pngSignature, refusedOrNotOutcomes],
];

/** A GIF block split into sub-blocks of one byte. */
const pieces = (bytes: number, opening: Uint8Array) =>
  Buffer.concat([opening, repeatBytes(bytes / 2, u8(1, 0x41)), u8(0)]);
const gifs: Row[] = [
  [
    'gif-of-200000-tiny-frames',
    () => gif(1, 1, repeatBytes(200_000, gifFrame(0))),
    { isSlow: true, expected: [...decodedOutcomes, 'media_too_long'] },
  ],
  [
    'gif-of-30000-tiny-frames',
    () => gif(1, 1, repeatBytes(30_000, gifFrame(1))),
    [...decodedOutcomes, 'media_too_long'],
  ],
  [
    'gif-of-50-frames-of-65535',
    () => gif(65_535, 65_535, repeatBytes(50, gifFrame(5, 65_535, 65_535))),
    decodedOutcomes,
  ],
  ['gif-comment-in-a-million-pieces', () => gif(16, 16, pieces(2 * MiB, u8(0x21, 0xfe)), gifFrame(5)), decodedOutcomes],
  [
    'gif-xmp-in-a-million-pieces',
    () => gif(16, 16, pieces(2 * MiB, Buffer.concat([u8(0x21, 0xff, 11), latin('XMP DataXMP')])), gifFrame(5)),
    decodedOutcomes,
  ],
  ['gif-of-30000-loops', () => gif(16, 16, repeatBytes(30_000, gifLoop), gifFrame(5)), decodedOutcomes],
  [
    'gif-of-unknown-blocks',
    () => gif(16, 16, repeatBytes(100_000, u8(0x21, 0x77, 1, 0, 0)), gifFrame(5)),
    decodedOutcomes,
  ],
  ['gif-without-its-colours', () => overwrite(gifHeader(16, 16), 10, u8(0xf7)), decodedOutcomes],
  ['gif-of-codes-of-255-bits', () => gif(16, 16, overwrite(gifFrame(5, 16, 16), 18, u8(255))), decodedOutcomes],
  ['gif-that-ends-at-once', () => gif(16, 16), decodedOutcomes],
  [
    'gif-with-8-MiB-after-the-end',
    () => Buffer.concat([gif(16, 16, gifFrame(5)), Buffer.alloc(8 * MiB, 0x3b)]),
    decodedOutcomes,
  ],
];

const canvas = (width: number, height: number, flags = 0) =>
  chunk('VP8X', u8(flags, 0, 0, 0), le.u32(width - 1).subarray(0, 3), le.u32(height - 1).subarray(0, 3));
const webp = (...chunks: Uint8Array[]) => chunk('RIFF', latin('WEBP'), ...chunks);
const lossless = (bits: number) => chunk('VP8L', u8(0x2f), le.u32(bits), Buffer.alloc(20));
const webps: Row[] = [
  ['webp-of-2^24-a-side', () => webp(canvas(2 ** 24, 2 ** 24))],
  ['webp-of-16384-a-side', () => webp(lossless(0x0fffffff))],
  ['webp-of-no-size', () => webp(chunk('VP8 ', Buffer.alloc(30)))],
  ['webp-that-says-4-GiB', ({ seed }) => overwrite(seed('still.webp'), 4, le.u32(0xffffffff))],
  ['webp-that-says-0-bytes', ({ seed }) => overwrite(seed('still.webp'), 4, le.u32(0))],
  ['webp-chunk-beyond-the-file', () => webp(canvas(16, 16), chunkWithSize('EXIF', 0xfffffff0, latin('x')))],
  ['webp-of-200000-empty-chunks', () => webp(canvas(16, 16), repeatBytes(200_000, chunk('aaaa')))],
  [
    'webp-of-10000-frames',
    () =>
      webp(
        canvas(16, 16, 2),
        chunk('ANIM', Buffer.alloc(6)),
        repeatBytes(10_000, chunk('ANMF', Buffer.alloc(16), lossless(0))),
      ),
  ],
  ['webp-frames-1000-deep', () => webp(canvas(16, 16, 2), nestChunks(1000, lossless(0)))],
  [
    'webp-exif-that-is-a-ring',
    () => webp(canvas(16, 16, 8), chunk('EXIF', tiff(directory([[fieldTags.exif, fieldTypes.long, 1, 8]], 8)))),
  ],
  ['webp-colours-of-8-MiB', () => webp(canvas(16, 16, 32), chunk('ICCP', Buffer.alloc(8 * MiB, 'acsp')))],
  ['webp-xmp-of-4-MiB', () => webp(canvas(16, 16, 4), chunk('XMP ', Buffer.alloc(4 * MiB, '<a>'))), { isSlow: true }],
  ['webp-mark-alone', () => webp(), refusedOrNotOutcomes],
];

function nestChunks(levels: number, inner: Buffer): Buffer {
  let bytes = inner;
  for (let i = 0; i < levels; i++) bytes = chunk('ANMF', Buffer.alloc(16), bytes);
  return bytes;
}

const bitmap = (headBytes: number, width: number, height: number, ...numbers: number[]) =>
  Buffer.concat([
    latin('BM'),
    le.u32(100, 0, 54, headBytes, width, height),
    le.u16(1, 8),
    le.u32(...numbers),
    Buffer.alloc(60),
  ]);
const bitmaps: Row[] = [
  ['bmp-of-2^31-a-side', () => bitmap(40, 2 ** 31 - 1, 2 ** 31 - 1, 0, 0, 0, 0, 0, 0)],
  ['bmp-of-minus-2^31-a-side', () => bitmap(40, 2 ** 31, 2 ** 31, 0, 0, 0, 0, 0, 0)],
  ['bmp-of-no-size', () => bitmap(40, 0, 0, 0, 0, 0, 0, 0, 0)],
  ['bmp-of-2^32-colours', () => bitmap(40, 16, 16, 0, 0, 0, 0, 2 ** 32 - 1, 2 ** 32 - 1)],
  ['bmp-whose-head-is-4-GiB', () => bitmap(2 ** 32 - 1, 16, 16, 1, 0, 0, 0, 0, 0)],
  ['bmp-of-the-old-kind', () => bitmap(12, 0xffffffff, 0xffffffff)],
  ['bmp-colours-beyond-the-file', () => bitmap(124, 16, 16, 0, 0, 0, 0, 0, 0, ...Array<number>(21).fill(2 ** 32 - 1))],
  ['bmp-of-a-few-letters', () => latin('BMW is no bitmap'), refusedOutcomes],
];

export const imageChunks: Recipe[] = [
  ...recipesOf('image', 'a.png', pngs),
  ...recipesOf('image', 'a.gif', gifs),
  ...recipesOf('image', 'a.webp', webps),
  ...recipesOf('image', 'a.bmp', bitmaps),
];
