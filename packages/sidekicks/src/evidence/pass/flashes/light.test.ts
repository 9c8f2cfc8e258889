import { describe, expect, test } from 'vitest';
import { sizeAreas, sizeCloserLook } from './flashes.ts';
import { createLight, levelsPerTenth } from './light.ts';

const rec709 = { matrix: 'bt709' } as const;
const rec2020 = { matrix: 'bt2020' } as const;
const indexOf = ({ red, green, blue }: ReturnType<typeof createLight>, value: number) =>
  (red[value] as number) + (green[value] as number) + (blue[value] as number);

describe('luminance', () => {
  test.each([
    ['sRGB, half-way', { transfer: 'srgb', ...rec709 } as const, 128, 0.2159],
    ['BT.1886, half-way', { transfer: 'bt1886', ...rec709 } as const, 128, 0.1912],
    ['white of a film is the reference', { transfer: 'bt1886', ...rec709 } as const, 255, 1],
    ['PQ at 58 % is 203 cd/m²', { transfer: 'pq', ...rec2020 } as const, 148, 1.01],
    ['PQ at the top is 10,000 cd/m²', { transfer: 'pq', ...rec2020 } as const, 255, 50],
    ['HLG at 75 % is 203 cd/m² on a display of 1,000', { transfer: 'hlg', ...rec2020 } as const, 191, 1.01],
    ['HLG at the top is 1,000 cd/m²', { transfer: 'hlg', ...rec2020 } as const, 255, 5],
  ])('%s', (_, colour, value, expected) => {
    const light = createLight(colour);
    expect(light.luminance(indexOf(light, value)) / expected).toBeCloseTo(1, 1.6);
  });
});

describe('levels', () => {
  const light = createLight({ transfer: 'pq', ...rec2020 });
  const level = (luminance: number) => light.level[Math.round(luminance * 10 * levelsPerTenth)] as number;
  const isStep = (one: number, other: number) => level(other) - level(one) >= levelsPerTenth;

  test.each([
    [0.1, 0.199, false],
    [0.1, 0.201, true],
    [0.79, 0.889, false],
    [0.79, 0.891, true],
    [0.85, 0.955, false],
    [0.85, 0.958, true],
    [4, 4.49, false],
    [4, 4.51, true],
  ])('from %f to %f is a step: %s; above 80 %% by contrast, below by a tenth', (one, other, expected) => {
    expect(isStep(one, other)).toBe(expected);
  });

  test('an index up to the plain ones is its own level', () => {
    for (let i = 0; i <= light.plainMax; i += 7) expect(light.level[i]).toBe(i);
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

  test('the closer look is as large as the film, and no larger than that screen', () => {
    expect(sizeCloserLook(3840, 2160)).toEqual({ width: 1920, height: 1080 });
    expect(sizeCloserLook(1080, 1920)).toEqual({ width: 608, height: 1080 });
    expect(sizeCloserLook(640, 480)).toEqual({ width: 640, height: 480 });
  });
});
