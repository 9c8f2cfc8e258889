import { fc } from '@assay/testing/run/fast-check.ts';
import { expect, test } from 'vitest';
import { compareThumbnail, type GrayImage, graySide } from './image-likeness.ts';

/** Draws an image of this aspect ratio; x and y go from 0 to 1. */
function draw(aspectRatio: number, gray: (x: number, y: number) => number): GrayImage {
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
const image = draw(1.5, scene);

test('an image matches a thumbnail of itself, even one that is rotated or has lower contrast', () => {
  expect(compareThumbnail(image, image)).toEqual({ correlation: expect.closeTo(1), differingShare: 0 });
  const lowContrast = draw(1.5, (x, y) => 40 + scene(x, y) / 2);
  expect(compareThumbnail(image, lowContrast).correlation).toBeCloseTo(1, 3);
  const rotated = draw(1 / 1.5, (x, y) => scene(y, 1 - x));
  expect(compareThumbnail(image, rotated).correlation).toBeCloseTo(1, 3);
});

test('an image matches a thumbnail of itself with black bars, or of only its centre', () => {
  const withBars = draw(4 / 3, (x, y) => (y < 1 / 18 || y > 17 / 18 ? 0 : scene(x, (y - 1 / 18) * (9 / 8))));
  expect(compareThumbnail(image, withBars).correlation).toBeGreaterThan(0.98);
  const center = draw(1, (x, y) => scene(1 / 6 + (x * 2) / 3, y));
  expect(compareThumbnail(image, center).correlation).toBeGreaterThan(0.98);
});

test('compareThumbnail detects a thumbnail that shows content cropped from the image or covered in it', () => {
  const cropped = draw(1.5, (x, y) => scene(x * 0.7, y * 0.7));
  expect(compareThumbnail(cropped, image).correlation).toBeLessThan(0.9);
  const covered = draw(1.5, (x, y) => (x > 0.1 && x < 0.2 && y > 0.4 && y < 0.6 ? 128 : scene(x, y)));
  expect(compareThumbnail(covered, image).differingShare).toBeGreaterThan(0.01);
  expect(
    compareThumbnail(
      draw(1.5, () => 128),
      image,
    ),
  ).toMatchObject({ correlation: 0 });
});

test('two uniform images match, whatever their shades of grey', () => {
  expect(
    compareThumbnail(
      draw(1.5, () => 20),
      draw(1.5, () => 30),
    ),
  ).toEqual({ correlation: 1, differingShare: 0 });
});

test('compareThumbnail returns a correlation from −1 to 1 and a share from 0 to 1, even for noise', () => {
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
