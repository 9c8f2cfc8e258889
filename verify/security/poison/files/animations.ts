import { be, latin, u8 } from '../formats/bytes.ts';
import type { Recipe, Verdict } from '../formats/recipe.ts';
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

const readableOrNot: readonly Verdict[] = ['complete', 'corrupt_media', 'resource_limit_exceeded'];
const frames = (count: number, delay: number) => Array<Buffer>(count).fill(gifFrame(delay, 16, 16));
const apngFrame = (delay: [number, number]): ApngFrame => ({ width: 16, height: 16, delay });

const gifs: Record<string, [make: () => Uint8Array, expected: readonly Verdict[]]> = {
  '10000-frames-without-delay': [() => gif(16, 16, gifLoop, ...frames(10_000, 0)), ['complete']],
  '10000-frames-of-one-hundredth': [() => gif(16, 16, gifLoop, ...frames(10_000, 1)), ['complete']],
  'frames-of-eleven-minutes': [() => gif(16, 16, gifLoop, ...frames(40, 65_535)), [...readableOrNot, 'media_too_long']],
  'one-frame': [() => gif(16, 16, gifFrame(0, 16, 16)), ['complete']],
  'no-frame': [() => gif(16, 16), readableOrNot],
  'no-size': [() => gif(0, 0, gifLoop, ...frames(3, 10)), readableOrNot],
  'frames-outside-the-image': [
    () => gif(16, 16, gifFrame(5, 16, 16, 65_000, 65_000), gifFrame(5, 999, 999)),
    readableOrNot,
  ],
  'no-end': [() => Buffer.concat([gifHeader(16, 16), gifLoop, ...frames(20, 5)]), readableOrNot],
  '100000-comments': [
    () => gif(16, 16, Buffer.alloc(500_000, u8(0x21, 0xfe, 1, 65, 0)), ...frames(3, 10)),
    readableOrNot,
  ],
  'codes-that-never-end': [
    () => gif(64, 64, gifFrame(5, 64, 64).subarray(0, 18), u8(11), Buffer.alloc(50_000, 0xff), u8(0)),
    readableOrNot,
  ],
  'a-wall-of-4000-pixels-200-times': [
    () => gif(4000, 2300, gifLoop, ...Array.from({ length: 200 }, () => gifFrame(2, 4000, 2300))),
    readableOrNot,
  ],
};

const apngs: Record<string, [make: () => Uint8Array, expected: readonly Verdict[]]> = {
  '3000-frames-without-delay': [
    () =>
      apng(
        16,
        16,
        Array.from({ length: 3000 }, () => apngFrame([0, 0])),
      ),
    ['complete'],
  ],
  'frames-of-18-hours': [
    () =>
      apng(
        16,
        16,
        Array.from({ length: 3 }, () => apngFrame([65_535, 1])),
      ),
    readableOrNot,
  ],
  'claims-2^31-frames': [() => apng(16, 16, [apngFrame([1, 10]), apngFrame([1, 10])], 2 ** 31 - 1), readableOrNot],
  'claims-no-frame': [() => apng(16, 16, [apngFrame([1, 10])], 0), readableOrNot],
  'frames-larger-than-the-image': [
    () => apng(16, 16, [apngFrame([1, 10]), { width: 60_000, height: 60_000, delay: [1, 10] }]),
    readableOrNot,
  ],
  'frames-in-the-wrong-order': [
    () => {
      const second = pngChunk('fcTL', be.u32(7, 16, 16, 0, 0), be.u16(1, 10), u8(0, 0));
      return Buffer.concat([
        pngSignature,
        pngHeader(16, 16),
        pngChunk('acTL', be.u32(2, 0)),
        second,
        second,
        pngChunk('IEND'),
      ]);
    },
    readableOrNot,
  ],
  'text-that-unpacks-to-much': [
    () => {
      const text = pngChunk('zTXt', latin('Comment\0\0'), Buffer.alloc(1_000_000, 0x78));
      return Buffer.concat([pngSignature, pngHeader(16, 16), text, pngChunk('IEND')]);
    },
    readableOrNot,
  ],
};

/** Slow because ExifTool reads each of them. */
const slow = ['100000-comments'];
/** Their timestamps run backwards, which once kept the loop from ending. */
const regressions = ['frames-of-18-hours'];
const table = (kind: string, filename: string, rows: typeof gifs): Recipe[] =>
  Object.entries(rows).map(([name, [make, expected]]) => ({
    name: `animations/${kind}-${name}`,
    filename,
    make,
    ...(slow.includes(name) && { isSlow: true }),
    ...(regressions.includes(name) && { isRegression: true }),
    expected,
  }));

export const animations: Recipe[] = [...table('gif', 'a.gif', gifs), ...table('apng', 'a.png', apngs)];
