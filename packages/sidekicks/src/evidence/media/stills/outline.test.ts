import { expect, test } from 'vitest';
import { drawOutline, outlineOf, outlinePixels } from './outline.ts';
import { createPicture } from './picture.ts';

const frame = { width: 640, height: 360 };

test('an outline is around a box, and covers nothing of it', () => {
  const { left, top, right, bottom } = outlineOf({ x: 0.25, y: 0.5, width: 0.25, height: 0.25 }, frame);
  expect({ left, top }).toEqual({ left: 160 - outlinePixels, top: 180 - outlinePixels });
  expect({ right, bottom }).toEqual({ right: 319 + outlinePixels, bottom: 269 + outlinePixels });
});

test.each([
  ['the whole frame', { x: 0, y: 0, width: 1, height: 1 }],
  ['almost the whole frame', { x: 0.002, y: 0.002, width: 0.997, height: 0.997 }],
])('an outline of %s is at the edges of the frame', (_, box) => {
  expect(outlineOf(box, frame)).toEqual({ left: 0, top: 0, right: 639, bottom: 359 });
});

test('an outline of a box of a pixel is large enough to be seen', () => {
  const { left, right, top, bottom } = outlineOf({ x: 0.5, y: 0.5, width: 1 / 640, height: 1 / 360 }, frame);
  expect(right - left).toBeGreaterThanOrEqual(6 + 2 * outlinePixels - 1);
  expect(bottom - top).toBeGreaterThanOrEqual(6 + 2 * outlinePixels - 1);
});

test.each([0, 128, 255])('an outline is visible on grey %i, and on any other colour', (grey) => {
  const picture = createPicture(64, 64, [grey, grey, grey]);
  drawOutline(picture, { left: 10, top: 10, right: 50, bottom: 50 });
  const across = Array.from({ length: outlinePixels }, (_, i) => picture.rgb.slice(3 * (30 * 64 + 10 + i)).slice(0, 3));
  const [darkest, lightest] = [Math.min, Math.max].map((most) => most(...across.map((rgb) => rgb[1] as number)));
  expect(Math.max(grey - (darkest as number), (lightest as number) - grey)).toBeGreaterThan(100);
  expect([...picture.rgb.slice(3 * (30 * 64 + 30), 3 * (30 * 64 + 31))]).toEqual([grey, grey, grey]);
});
