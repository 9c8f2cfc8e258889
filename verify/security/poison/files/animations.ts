import { be, latin, u8 } from '../formats/bytes.ts';
import type { Recipe, Verdict } from '../formats/recipe.ts';
import { type Row, recipesByFile } from '../formats/rows.ts';
import {
  type ApngFrame,
  apng,
  gif,
  gifFrame,
  gifHeader,
  gifLoop,
  pngChunk,
  pngHeader,
  pngSignature,
} from './animation.ts';

const decodedOrNot: readonly Verdict[] = ['complete', 'corrupt_media', 'resource_limit_exceeded'];
const frames = (count: number, delay: number, side = 16) => Array<Buffer>(count).fill(gifFrame(delay, side, side));
const apngFrame = (delay: [number, number], side = 16): ApngFrame => ({ width: side, height: side, delay });
const pngOf = (...chunks: Uint8Array[]) =>
  Buffer.concat([pngSignature, pngHeader(16, 16), ...chunks, pngChunk('IEND')]);
const outOfOrder = pngChunk('fcTL', be.u32(7, 16, 16, 0, 0), be.u16(1, 10), u8(0, 0));

const gifs: Row[] = [
  ['gif-10000-frames-without-delay', () => gif(16, 16, gifLoop, ...frames(10_000, 0))],
  ['gif-10000-frames-of-one-hundredth', () => gif(16, 16, gifLoop, ...frames(10_000, 1))],
  [
    'gif-frames-of-eleven-minutes',
    () => gif(16, 16, gifLoop, ...frames(40, 65_535)),
    [...decodedOrNot, 'media_too_long'],
  ],
  ['gif-one-frame', () => gif(16, 16, ...frames(1, 0))],
  ['gif-no-frame', () => gif(16, 16), decodedOrNot],
  ['gif-no-size', () => gif(0, 0, gifLoop, ...frames(3, 10)), decodedOrNot],
  [
    'gif-frames-outside-the-image',
    () => gif(16, 16, gifFrame(5, 16, 16, 65_000, 65_000), gifFrame(5, 999, 999)),
    decodedOrNot,
  ],
  ['gif-no-end', () => Buffer.concat([gifHeader(16, 16), gifLoop, ...frames(20, 5)]), decodedOrNot],
  [
    'gif-100000-comments',
    () => gif(16, 16, Buffer.alloc(500_000, u8(0x21, 0xfe, 1, 65, 0)), ...frames(3, 10)),
    { expected: decodedOrNot, isSlow: true }, // because ExifTool reads each comment
  ],
  [
    'gif-codes-that-never-end',
    () => gif(64, 64, gifFrame(5, 64, 64).subarray(0, 18), u8(11), Buffer.alloc(50_000, 0xff), u8(0)),
    decodedOrNot,
  ],
  [
    'gif-200-frames-of-4000-pixels',
    () => gif(4000, 2300, gifLoop, ...Array<Buffer>(200).fill(gifFrame(2, 4000, 2300))),
    decodedOrNot,
  ],
];

const apngs: Row[] = [
  ['apng-3000-frames-without-delay', () => apng(16, 16, Array(3000).fill(apngFrame([0, 0])))],
  [
    'apng-frames-of-18-hours',
    () => apng(16, 16, Array(3).fill(apngFrame([65_535, 1]))),
    // The timestamps of this file's frames run backwards, which once caused an endless loop.
    { expected: ['media_too_long'], isRegression: true },
  ],
  ['apng-frames-of-almost-2-hours', () => apng(16, 16, Array(3).fill(apngFrame([7000, 1]))), decodedOrNot],
  ['apng-claims-2^31-frames', () => apng(16, 16, Array(2).fill(apngFrame([1, 10])), 2 ** 31 - 1), decodedOrNot],
  ['apng-claims-no-frame', () => apng(16, 16, [apngFrame([1, 10])], 0), decodedOrNot],
  [
    'apng-frames-larger-than-the-image',
    () => apng(16, 16, [apngFrame([1, 10]), apngFrame([1, 10], 60_000)]),
    decodedOrNot,
  ],
  ['apng-frames-in-the-wrong-order', () => pngOf(pngChunk('acTL', be.u32(2, 0)), outOfOrder, outOfOrder), decodedOrNot],
  [
    'apng-text-that-unpacks-to-much',
    () => pngOf(pngChunk('zTXt', latin('Comment\0\0'), Buffer.alloc(1_000_000, 0x78))),
    decodedOrNot,
  ],
];

export const animationFiles: Recipe[] = recipesByFile('animations', { 'a.gif': gifs, 'a.png': apngs });
