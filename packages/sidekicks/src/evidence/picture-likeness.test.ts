import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareThumbnail, type GrayPicture, graySide } from './picture-likeness.ts';

/** Draws a picture of this shape; x and y go from 0 to 1. */
function draw(aspectRatio: number, gray: (x: number, y: number) => number): GrayPicture {
  const pixels = Uint8Array.from({ length: graySide * graySide }, (_, i) =>
    gray(((i % graySide) + 0.5) / graySide, (Math.floor(i / graySide) + 0.5) / graySide),
  );
  return { gray: pixels, aspectRatio };
}

const scene = (x: number, y: number) => {
  if (x > 0.6 && x < 0.8 && y > 0.3 && y < 0.7) return 90;
  if (x > 0.1 && x < 0.2 && y > 0.4 && y < 0.75) return 10;
  return y > 0.6 ? 60 + 20 * x : 200 - 30 * x;
};
const picture = draw(1.5, scene);

test('the same picture is the same, brighter, flatter or turned', () => {
  expect(compareThumbnail(picture, picture)).toEqual({ correlation: expect.closeTo(1), differingShare: 0 });
  const flatter = draw(1.5, (x, y) => 40 + scene(x, y) / 2);
  expect(compareThumbnail(picture, flatter).correlation).toBeCloseTo(1, 3);
  const turned = draw(1 / 1.5, (x, y) => scene(y, 1 - x));
  expect(compareThumbnail(picture, turned).correlation).toBeCloseTo(1, 3);
});

test('bars around the same picture, and its middle alone, show no more than it does', () => {
  const inBars = draw(4 / 3, (x, y) => (y < 1 / 18 || y > 17 / 18 ? 0 : scene(x, (y - 1 / 18) * (9 / 8))));
  expect(compareThumbnail(picture, inBars).correlation).toBeGreaterThan(0.98);
  const middle = draw(1, (x, y) => scene(1 / 6 + (x * 2) / 3, y));
  expect(compareThumbnail(picture, middle).correlation).toBeGreaterThan(0.98);
});

test('what was cut off or covered shows', () => {
  const cropped = draw(1.5, (x, y) => scene(x * 0.7, y * 0.7));
  expect(compareThumbnail(cropped, picture).correlation).toBeLessThan(0.9);
  const covered = draw(1.5, (x, y) => (x > 0.1 && x < 0.2 && y > 0.4 && y < 0.6 ? 128 : scene(x, y)));
  expect(compareThumbnail(covered, picture).differingShare).toBeGreaterThan(0.01);
  expect(
    compareThumbnail(
      draw(1.5, () => 128),
      picture,
    ),
  ).toMatchObject({ correlation: 0 });
});

test('two flat surfaces are alike, of whatever gray', () => {
  expect(
    compareThumbnail(
      draw(1.5, () => 20),
      draw(1.5, () => 30),
    ),
  ).toEqual({ correlation: 1, differingShare: 0 });
});

test('noise gives numbers within their ranges', () => {
  const noise = fc.record({
    gray: fc.uint8Array({ minLength: graySide * graySide, maxLength: graySide * graySide }),
    aspectRatio: fc.double({ min: 0.01, max: 100, noNaN: true }),
  });
  fc.assert(
    fc.property(noise, noise, (a, b) => {
      const { correlation, differingShare } = compareThumbnail(a, b);
      expect(Math.abs(correlation)).toBeLessThanOrEqual(1.000001);
      expect(differingShare).toBeGreaterThanOrEqual(0);
      expect(differingShare).toBeLessThanOrEqual(1);
    }),
    { numRuns: 20 },
  );
});
