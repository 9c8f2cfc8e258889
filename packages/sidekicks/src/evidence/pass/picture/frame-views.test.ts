import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { levelSampleSize, type PictureFormat } from '../observer.ts';
import { createFrameViews } from './frame-views.ts';

const formatOf = (width: number, height: number, small: PictureFormat['small']): PictureFormat => ({
  ...{ width, height, small, frameRate: 25, fieldOrder: null, isRgb: false, isPlain: true },
  ...{ isFullRange: false, matrix: 'bt709', transfer: 'bt1886' },
});

/** One frame of a test pattern, through these filters. */
function drawn(width: number, height: number, ...filters: string[]): Uint8Array {
  const soft = `testsrc2=s=640x480:r=1,gblur=sigma=3,scale=${width}:${height},format=yuv420p`;
  const source = `${soft},setparams=colorspace=bt709:range=tv`;
  const graph = [source, ...filters].join(',');
  const args = ['-v', 'error', '-f', 'lavfi', '-i', graph, '-frames:v', '1', '-f', 'rawvideo', '-'];
  return execFileSync('ffmpeg', args, { maxBuffer: 1e8 });
}

test.each([
  [1920, 1080, 320, 180],
  [640, 480, 320, 240],
  [333, 201, 320, 193],
])('a frame of %d × %d made smaller looks like that of ffmpeg', (width, height, wide, high) => {
  const views = createFrameViews(formatOf(width, height, { width: wide, height: high }));
  views.take(drawn(width, height));
  const expected = drawn(width, height, `scale=${wide}:${high}:flags=area:in_color_matrix=bt709`, 'format=rgb24');
  const errors = Array.from(expected, (value, i) => Math.abs(value - (views.rgb[i] as number)));
  expect(views.rgb).toHaveLength(expected.length);
  expect(errors.reduce((sum, error) => sum + error) / errors.length).toBeLessThan(3);
});

test('single pixels have the levels of the frame', () => {
  const [width, height] = [640, 360];
  const views = createFrameViews(formatOf(width, height, { width: 320, height: 180 }));
  const planes = drawn(width, height);
  views.take(planes);
  const count = levelSampleSize.width * levelSampleSize.height;
  expect(views.yuv).toHaveLength(3 * count);
  const place = 40 * levelSampleSize.width + 70; // in its middle: the pixel at 282, 162
  expect(views.yuv[place]).toBe(planes[162 * width + 282]);
  expect(views.yuv[count + place]).toBe(planes[width * height + 81 * (width / 2) + 141]);
});
