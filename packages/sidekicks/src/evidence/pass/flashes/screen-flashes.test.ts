import { describe, expect, test } from 'vitest';
import type { Observer } from '../observer.ts';
import type { FlashScreening } from './flashes.ts';
import {
  analyse,
  type Colour,
  dark,
  every,
  grey,
  light,
  type Patch,
  pictures,
  size,
  switching,
  whole,
} from './samples/flicker.ts';
import { screenFlashes } from './screen-flashes.ts';

const rate = 25;
const picture = {
  ...size,
  small: size,
  frameRate: rate,
  isFullRange: true,
  matrix: 'bt709',
  transfer: 'srgb',
  fieldOrder: null,
} as const;

function screen(patches: Patch[], secondsPerPicture = 1 / rate): FlashScreening {
  const observer = screenFlashes.open({ durationSeconds: null, picture, sound: null }) as Observer<FlashScreening>;
  let index = 0;
  for (const rgb of pictures(patches)) {
    observer.picture?.({ index, seconds: index * secondsPerPicture, rgb });
    index++;
  }
  return observer.end();
}

test('a sound has nothing to look at', () => {
  expect(screenFlashes.open({ durationSeconds: 1, picture: null, sound: null })).toBeNull();
});

describe('candidates', () => {
  test('have all that the closer look finds, and nothing far from it', () => {
    const patches = [
      whole(
        switching(
          300,
          every(3, 9).map((at) => at + 150),
        ),
      ),
    ];
    const [run] = analyse(patches, rate);
    const { candidates } = screen(patches);
    expect(candidates).toHaveLength(1);
    expect(candidates[0]?.startSeconds).toBeLessThanOrEqual(run?.startSeconds ?? 0);
    expect(candidates[0]?.endSeconds).toBeGreaterThanOrEqual(run?.endSeconds ?? 99);
    expect(candidates[0]?.startSeconds).toBeGreaterThan(4.5);
  });

  test('are found where averaging has made flashes fainter than what counts', () => {
    const faint = [whole(switching(60, every(3, 9), grey(64), grey(92)))];
    expect(analyse(faint, rate)).toEqual([]);
    expect(screen(faint).candidates).toHaveLength(1);
  });

  test.each<[string, Colour]>([
    ['a still picture', dark],
    ['three flashes', light],
  ])('%s is none', (_, colour) => {
    expect(screen([whole(switching(60, every(4, 6), dark, colour))]).candidates).toEqual([]);
  });

  test('red is looked for too', () => {
    const red = screen([whole(switching(60, every(3, 9), [205, 78, 78], [31, 134, 134]))]);
    expect(red.candidates).toHaveLength(1);
  });
});

describe('flashes for long', () => {
  // A change every fifth of a second: five transitions in each.
  const flicker = (seconds: number) => [whole(switching(rate * (seconds + 3), every(5, seconds * 5)))];

  test('are said from five seconds on', () => {
    expect(screen(flicker(4)).extended).toEqual([]);
    expect(screen(flicker(8)).extended).toHaveLength(1);
    expect(screen(flicker(8)).candidates).toEqual([]);
  });
});

test('the series are short however long the film is, and say what they are named for', () => {
  const white = screen([whole(Array.from({ length: 3000 }, () => grey(255)))], 1);
  expect(white.series.meanLuminance.values.length).toBeLessThanOrEqual(2000);
  expect(white.series.meanLuminance.values.at(-1)).toBeCloseTo(1, 3);
  const { values } = screen([whole(switching(60, every(5, 10)))]).series.transitions;
  expect(Math.max(...values)).toBe(5);
});
