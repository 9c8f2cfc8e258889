import { readFile } from 'node:fs/promises';
import { makeWithFfmpeg } from '@assay/testing/media/made-by-ffmpeg.ts';
import { createRandom } from '@assay/testing/run/random.ts';
import { testSeed } from '@assay/testing/run/test-seed.ts';
import { describe, expect, test } from 'vitest';
import { levelSampleSize, type VideoFormat } from '../signal/observer.ts';
import { createFrameViews } from './frame-views.ts';

type SmallSize = VideoFormat['small'];
const formatOf = (width: number, height: number, small: SmallSize, bits: 8 | 10 = 8): VideoFormat => ({
  ...{ width, height, small, bits, frameRate: 25, fieldOrder: null, isRgb: false, isPlain: true },
  ...{ pixelAspect: 1, hasAlpha: false },
  ...{ isFullRange: false, matrix: 'bt709', primaries: 'bt709', transfer: bits === 8 ? 'bt1886' : 'pq' },
});

/** Renders a frame of a test pattern with these filters. */
async function render(width: number, height: number, ...filters: string[]): Promise<Uint8Array> {
  const soft = `testsrc2=s=640x480:r=1,gblur=sigma=3,scale=${width}:${height},format=yuv420p`;
  const source = `${soft},setparams=colorspace=bt709:range=tv`;
  const graph = [source, ...filters].join(',');
  return readFile(await makeWithFfmpeg('.yuv', ['-f', 'lavfi', '-i', graph, '-frames:v', '1', '-f', 'rawvideo']));
}

const toTenBits = 'format=yuv420p10le';

test.each([
  [1920, 1080, 320, 180, 8],
  [640, 480, 320, 240, 8],
  [333, 201, 320, 193, 8],
  [1920, 1080, 320, 180, 10],
  [333, 201, 320, 193, 10],
] as const)('scaling a %d × %d frame down to %d × %d at %d bits matches ffmpeg', async (...sizes) => {
  const [width, height, wide, high, bits] = sizes;
  const views = createFrameViews(formatOf(width, height, { width: wide, height: high }, bits));
  views.take(await render(width, height, ...(bits === 8 ? [] : [toTenBits])));
  const expected = await render(
    width,
    height,
    `scale=${wide}:${high}:flags=area:in_color_matrix=bt709`,
    'format=rgb24',
  );
  const errors = Array.from(expected, (value, i) => Math.abs(value - (views.rgb[i] as number)));
  expect(views.rgb).toHaveLength(expected.length);
  expect(errors.reduce((sum, error) => sum + error) / errors.length).toBeLessThan(3);
});

test('level samples contain the codes of single pixels', async () => {
  const [width, height] = [640, 360];
  const views = createFrameViews(formatOf(width, height, { width: 320, height: 180 }));
  const planes = await render(width, height);
  views.take(planes);
  const count = levelSampleSize.width * levelSampleSize.height;
  const { codes } = views.levels;
  expect(codes).toHaveLength(3 * count);
  const position = 40 * levelSampleSize.width + 70; // the centre of this sample is the pixel at 282, 162
  expect(codes[position]).toBe(planes[162 * width + 282]);
  expect(codes[count + position]).toBe(planes[width * height + 81 * (width / 2) + 141]);
});

describe('the sum of a level sample', () => {
  const count = levelSampleSize.width * levelSampleSize.height;

  /** Random codes, and the sum of nine adjacent ones at a pixel of the frame. */
  function randomFrame(width: number, height: number, plane: 0 | 1 | 2) {
    const random = createRandom(testSeed(1));
    const [wide, high] = [Math.ceil(width / 2), Math.ceil(height / 2)];
    const planes = new Uint8Array(width * height + 2 * wide * high).map(() => random.fraction() * 256);
    const start = plane === 0 ? 0 : width * height + (plane - 1) * wide * high;
    const codeAt = (x: number, y: number) =>
      (plane === 0 ? planes[y * width + x] : planes[start + (y >> 1) * wide + (x >> 1)]) as number;
    const offsets = [-1, 0, 1];
    const sumAt = (x: number, y: number) =>
      offsets.flatMap((dy) => offsets.map((dx) => codeAt(x + dx, y + dy))).reduce((sum, code) => sum + code);
    return { planes, sumAt };
  }

  test.each([
    [640, 360, 0],
    [640, 360, 1],
    [641, 363, 0],
    [641, 363, 2],
    [100, 40, 0],
  ] as const)(
    'is that of a pixel and its eight neighbours in a frame of %d × %d (plane %d)',
    (width, height, plane) => {
      const { planes, sumAt } = randomFrame(width, height, plane);
      const views = createFrameViews(formatOf(width, height, { width: 32, height: 18 }));
      views.take(planes);
      for (const [column, row] of [
        [0, 0],
        [159, 89],
        [70, 40],
        [33, 88],
      ] as const) {
        const x = Math.floor(((column + 0.5) * width) / levelSampleSize.width);
        const y = Math.floor(((row + 0.5) * height) / levelSampleSize.height);
        const [inX, inY] = [Math.min(width - 2, Math.max(1, x)), Math.min(height - 2, Math.max(1, y))];
        const at = plane * count + row * levelSampleSize.width + column;
        expect(views.levels.sums[at]).toBe(sumAt(inX, inY));
      }
    },
  );
});

test.each([
  ['the lowest legal level', 20, 5],
  ['below the lowest legal level', 19, 4],
  ['black', 64, 16],
  ['below black', 63, 15],
  ['white', 940, 235],
  ['above white', 941, 236],
  ['the highest legal level', 984, 246],
  ['above the highest legal level', 985, 247],
  ['the maximum', 1023, 255],
])('%s: the 10-bit code %d becomes the 8-bit code %d', (_, code, expected) => {
  const views = createFrameViews(formatOf(64, 36, { width: 64, height: 36 }, 10));
  views.take(new Uint8Array(new Uint16Array(64 * 36 * 1.5).fill(code).buffer));
  expect(new Set(views.levels.codes)).toEqual(new Set([expected]));
  expect(new Set(views.levels.sums)).toEqual(new Set([9 * expected]));
});
