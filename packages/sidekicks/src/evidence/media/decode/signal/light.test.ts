import { describe, expect, test } from 'vitest';
import { analysisSizeOf, areaSizesOf } from '../flashes/flashes.ts';
import { createTransitionTracker } from '../flashes/tracker.ts';
import { createLight } from './light.ts';

type Colour = Parameters<typeof createLight>[0];
const rec709 = { matrix: 'bt709', primaries: 'bt709', isFullRange: true, bits: 8 } as const;
const rec2020 = { matrix: 'bt2020', primaries: 'bt2020', isFullRange: true, bits: 8 } as const;

/** The luminance of a grey of this code, computed by the kernel. */
function luminanceOf(colour: Colour, value: number): number {
  const tracker = createTransitionTracker({ width: 2, height: 2, isRgb: true, ...colour });
  tracker.next().fill(value);
  tracker.processFrame(0);
  return tracker.luminanceOf(0);
}

describe('the luminance', () => {
  test.each([
    ['of sRGB code 128 is 22 % of white', { transfer: 'srgb', ...rec709 } as const, 128, 0.2159],
    ['of BT.1886 code 128 is 19 % of white', { transfer: 'bt1886', ...rec709 } as const, 128, 0.1912],
    ['of SDR white is the reference', { transfer: 'bt1886', ...rec709 } as const, 255, 1],
    ['of PQ at 58 % is 203 cd/m²', { transfer: 'pq', ...rec2020 } as const, 148, 1.01],
    ['of the highest PQ code is 10,000 cd/m²', { transfer: 'pq', ...rec2020 } as const, 255, 50],
    ['of HLG at 75 % is 203 cd/m² on a display of 1,000 cd/m²', { transfer: 'hlg', ...rec2020 } as const, 191, 1.01],
    ['of the highest HLG code is 1,000 cd/m²', { transfer: 'hlg', ...rec2020 } as const, 255, 5],
  ])('%s', (_, colour, value, expected) => {
    expect(luminanceOf(colour, value) / expected).toBeCloseTo(1, 1.6);
  });

  test.each([
    ['BT.1886', 'bt1886', (value: number) => value ** 2.4],
    ['sRGB', 'srgb', (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)],
  ] as const)('of %s has an error of less than a hundredth of a step', (_, transfer, curve) => {
    for (let value = 0; value < 256; value++) {
      expect(Math.abs(luminanceOf({ transfer, ...rec709 }, value) - curve(value / 255))).toBeLessThan(0.0006);
    }
  });
});

describe('the luminance of 10-bit codes', () => {
  /** The luminance of all greys in limited range, by code. */
  function greysOf(transfer: 'pq' | 'hlg'): number[] {
    const [width, height] = [1024, 1];
    const colour = { transfer, ...rec2020, isFullRange: false, bits: 10 } as const;
    const tracker = createTransitionTracker({ width, height, isRgb: false, ...colour });
    const codes = new Uint16Array(2 * width).fill(512).map((chroma, i) => (i < width ? i : chroma));
    tracker.next().set(new Uint8Array(codes.buffer));
    tracker.processFrame(0);
    return Array.from({ length: width }, (_, code) => tracker.luminanceOf(code));
  }
  const greys = { pq: greysOf('pq'), hlg: greysOf('hlg') };

  test.each([
    ['is 100 cd/m² for PQ code 509', 'pq', 509, 0.5],
    ['is 203 cd/m², the reference white of BT.2408, for PQ code 573', 'pq', 573, 1.015],
    ['is 203 cd/m² for HLG at 75 %', 'hlg', 721, 1.015],
    ['is 1,000 cd/m² for HLG at its peak', 'hlg', 940, 5],
  ] as const)('%s', (_, transfer, code, expected) => {
    expect((greys[transfer][code] as number) / expected).toBeCloseTo(1, 2);
  });

  test.each(['pq', 'hlg'] as const)('differs between adjacent %s codes, except almost black ones', (transfer) => {
    const usual = greys[transfer].slice(384, 941);
    expect(usual.every((luminance, i) => i === 0 || luminance > (usual[i - 1] as number))).toBe(true);
  });
});

describe('the luminance weight of red', () => {
  const pureRed = [0, 0, 255] as const; // as planes G', B', R'
  test.each([
    ['bt601-525', 0.2124],
    ['bt601-625', 0.222],
    ['bt709', 0.2126],
    ['bt2020', 0.2627],
  ] as const)('for %s primaries is %f', (primaries, expected) => {
    const tracker = createTransitionTracker({
      width: 1,
      height: 1,
      isRgb: true,
      transfer: 'srgb',
      ...rec709,
      primaries,
    });
    tracker.next().set(pureRed);
    tracker.processFrame(0);
    expect(tracker.luminanceOf(0)).toBeCloseTo(expected, 3);
  });
});

describe('a luminance step', () => {
  const { step, tables, luminanceOf: ofLevel } = createLight({ transfer: 'pq', ...rec2020 });
  const levels = tables?.levels as Int16Array;
  const level = (luminance: number) => levels.findIndex((_, sum) => ofLevel(levels[sum] as number) >= luminance);
  const isStep = (one: number, other: number) =>
    (levels[level(other)] as number) - (levels[level(one)] as number) >= step;

  test.each([
    [0.1, 0.198, 'does not count', false],
    [0.1, 0.202, 'counts', true],
    [0.79, 0.888, 'does not count', false],
    [0.79, 0.892, 'counts', true],
    [0.85, 0.954, 'does not count', false],
    [0.85, 0.959, 'counts', true],
    [4, 4.48, 'does not count', false],
    [4, 4.52, 'counts', true],
  ])('from %f to %f %s (the limit is a difference below 80 %%, a contrast above)', (one, other, _, expected) => {
    expect(isStep(one, other)).toBe(expected);
  });
});

describe('the flash analysis', () => {
  test('measures windows in pixels of a 1920 × 1080 screen that the frame fills', () => {
    const windows = (width: number, height: number) =>
      areaSizesOf(width, height).map((area) => [area.width, area.height]);
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

  test('measures windows in displayed pixels, which may be wider or narrower than high', () => {
    const window = (width: number, height: number, pixelAspect: number) => {
      const [, { width: wide, height: high } = { width: 0, height: 0 }] = areaSizesOf(width, height, pixelAspect);
      return [wide, high];
    };
    expect(window(1440, 1080, 4 / 3)).toEqual([256, 256]); // HDV
    expect(window(1920, 540, 1 / 2)).toEqual([341, 128]); // a field
    expect(window(720, 576, 64 / 45)).toEqual([128, 137]); // PAL, 16:9
  });

  test('uses frames at their own size, but at most at the size of a 1920 × 1080 screen', () => {
    expect(analysisSizeOf(3840, 2160)).toEqual({ width: 1920, height: 1080 });
    expect(analysisSizeOf(1080, 1920)).toEqual({ width: 608, height: 1080 });
    expect(analysisSizeOf(640, 480)).toEqual({ width: 640, height: 480 });
  });
});
