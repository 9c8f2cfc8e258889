import { describe, expect, test } from 'vitest';
import { sizeAreas, sizeOfLook } from './flashes.ts';
import { createLight } from './light.ts';
import { createTransitionTracker } from './tracker.ts';

type Colour = Parameters<typeof createLight>[0];
const rec709 = { matrix: 'bt709', isFullRange: true } as const;
const rec2020 = { matrix: 'bt2020', isFullRange: true } as const;

/** Luminance of a grey, as the kernel has it. */
function luminanceOf(colour: Colour, value: number): number {
  const tracker = createTransitionTracker({ width: 2, height: 2, isRgb: true, ...colour });
  tracker.next().fill(value);
  tracker.see(0);
  return tracker.luminanceOf(0);
}

describe('luminance', () => {
  test.each([
    ['sRGB, half-way', { transfer: 'srgb', ...rec709 } as const, 128, 0.2159],
    ['BT.1886, half-way', { transfer: 'bt1886', ...rec709 } as const, 128, 0.1912],
    ['white of a video is the reference', { transfer: 'bt1886', ...rec709 } as const, 255, 1],
    ['PQ at 58 % is 203 cd/m²', { transfer: 'pq', ...rec2020 } as const, 148, 1.01],
    ['PQ at the top is 10,000 cd/m²', { transfer: 'pq', ...rec2020 } as const, 255, 50],
    ['HLG at 75 % is 203 cd/m² on a display of 1,000', { transfer: 'hlg', ...rec2020 } as const, 191, 1.01],
    ['HLG at the top is 1,000 cd/m²', { transfer: 'hlg', ...rec2020 } as const, 255, 5],
  ])('%s', (_, colour, value, expected) => {
    expect(luminanceOf(colour, value) / expected).toBeCloseTo(1, 1.6);
  });

  test.each([
    ['BT.1886', 'bt1886', (value: number) => value ** 2.4],
    ['sRGB', 'srgb', (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)],
  ] as const)('of %s is off by less than a hundredth of a step', (_, transfer, curve) => {
    for (let value = 0; value < 256; value++) {
      expect(Math.abs(luminanceOf({ transfer, ...rec709 }, value) - curve(value / 255))).toBeLessThan(0.0006);
    }
  });
});

describe('a step', () => {
  const { step, tables, luminanceOf: ofLevel } = createLight({ transfer: 'pq', ...rec2020 });
  const levels = tables?.levels as Int16Array;
  const level = (luminance: number) => levels.findIndex((_, sum) => ofLevel(levels[sum] as number) >= luminance);
  const isStep = (one: number, other: number) =>
    (levels[level(other)] as number) - (levels[level(one)] as number) >= step;

  test.each([
    [0.1, 0.198, false],
    [0.1, 0.202, true],
    [0.79, 0.888, false],
    [0.79, 0.892, true],
    [0.85, 0.954, false],
    [0.85, 0.959, true],
    [4, 4.48, false],
    [4, 4.52, true],
  ])('from %f to %f is one: %s; above 80 %% by contrast, below by a tenth', (one, other, expected) => {
    expect(isStep(one, other)).toBe(expected);
  });
});

describe('sizes', () => {
  test('windows are pixels of a screen of 1920 × 1080 that the picture fills', () => {
    const windows = (width: number, height: number) =>
      sizeAreas(width, height).map((area) => [area.width, area.height]);
    expect(windows(1920, 1080)).toEqual([
      [1920, 1080],
      [341, 256],
      [416, 416],
    ]);
    expect(windows(960, 540)).toEqual([
      [960, 540],
      [171, 128],
      [208, 208],
    ]);
    expect(windows(1080, 1920)[2]).toEqual([740, 740]);
  });

  test('frames are looked at as large as the video has them, and no larger than that screen', () => {
    expect(sizeOfLook(3840, 2160)).toEqual({ width: 1920, height: 1080 });
    expect(sizeOfLook(1080, 1920)).toEqual({ width: 608, height: 1080 });
    expect(sizeOfLook(640, 480)).toEqual({ width: 640, height: 480 });
  });
});
