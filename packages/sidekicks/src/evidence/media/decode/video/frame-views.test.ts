import { readFile } from 'node:fs/promises';
import { makeWithFfmpeg } from '@assay/testing/media/made-by-ffmpeg.ts';
import { expect, test } from 'vitest';
import { levelSampleSize, type VideoFormat } from '../signal/observer.ts';
import { createFrameViews } from './frame-views.ts';

type SmallSize = VideoFormat['small'];
const formatOf = (width: number, height: number, small: SmallSize, bits: 8 | 10 = 8): VideoFormat => ({
  ...{ width, height, small, bits, frameRate: 25, fieldOrder: null, isRgb: false, isPlain: true },
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
  expect(views.yuv).toHaveLength(3 * count);
  const position = 40 * levelSampleSize.width + 70; // the centre of this sample is the pixel at 282, 162
  expect(views.yuv[position]).toBe(planes[162 * width + 282]);
  expect(views.yuv[count + position]).toBe(planes[width * height + 81 * (width / 2) + 141]);
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
  expect(new Set(views.yuv)).toEqual(new Set([expected]));
});
