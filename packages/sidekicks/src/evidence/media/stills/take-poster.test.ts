import { expect, test } from 'vitest';
import { posterTimeOf } from './take-poster.ts';

const luminance = (...values: (number | null)[]) => ({ stepMs: 1000, values });

test.each([
  ['a tenth of its duration', 20_000, luminance(...Array.from({ length: 20 }, () => 0.4)), 2000],
  ['the first bright second after that, if it is dark there', 10_000, luminance(0.4, 0, 0.01, 0.3, 0.2), 3000],
  ['its brightest second, if nothing bright follows', 10_000, luminance(0.4, 0, null, 0.01), 0],
  ['a tenth of its duration, if its luminance is unknown', 20_000, undefined, 2000],
  ['its start, if its duration is unknown', null, undefined, 0],
])('the poster of a video is taken at %s', (_, durationMs, measured, timeMs) => {
  expect(posterTimeOf(durationMs, measured)).toBe(timeMs);
});
