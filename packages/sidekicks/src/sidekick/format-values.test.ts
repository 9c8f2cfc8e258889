import { describe, expect, test } from 'vitest';
import {
  formatBytes,
  formatClock,
  formatCount,
  formatDecimals,
  formatLevel,
  formatPercent,
  formatSeconds,
  formatSignedLevel,
  toMeasurement,
} from './format-values.ts';

describe('a formatted value in an issue text', () => {
  test.each([
    ['−23.0', 'a level of -23.04', formatLevel(-23.04)],
    ['0.0', 'a level of -0.04', formatLevel(-0.04)],
    ['+1.3', 'a signed level of 1.26', formatSignedLevel(1.26)],
    ['−5.0', 'a signed level of -5', formatSignedLevel(-5)],
    ['0.0', 'a signed level of 0.04', formatSignedLevel(0.04)],
    ['2.48 s', '2.484 seconds', formatSeconds(2.484)],
    ['12.5 %', 'a share of 0.1254', formatPercent(0.1254)],
    ['512 B', '512 bytes', formatBytes(512)],
    ['64.0 KiB', '65,536 bytes', formatBytes(65_536)],
    ['6.2 GiB', '6.2 gibibytes', formatBytes(6.2 * 1024 ** 3)],
    ['1 tag', 'a count of 1', formatCount(1, 'tag')],
    ['20,000 entries', 'a count of 20,000', formatCount(20_000, 'entry', 'entries')],
  ])('is %s for %s', (expected, _, shown) => expect(shown).toBe(expected));
});

describe('a formatted value and its limit', () => {
  test.each([
    ['a level has one more decimal', formatLevel(-21.79, -21.8), '−21.79'],
    ['a level has two more decimals if one is not enough', formatLevel(-21.796, -21.8), '−21.796'],
    ['a percentage has more decimals', formatPercent(0.0104, 0.01), '1.04 %'],
    ['a number of seconds has more decimals', formatSeconds(2.002, 2), '2.002 s'],
    ['a number of bytes has more decimals', formatBytes(4.04 * 1024 ** 3, 4 * 1024 ** 3), '4.04 GiB'],
    ['an integer has one decimal', formatDecimals(246.4, 0, 246), '246.4'],
    ['a level has no more decimals than needed', formatLevel(-21.6, -21.8), '−21.6'],
  ])('differ if the value is beyond its limit: %s', (_, shown, expected) => expect(shown).toBe(expected));

  test('are equal, with the usual number of decimals, if the value is at its limit', () => {
    expect(formatSeconds(15, 15)).toBe('15.00 s');
  });
});

test.each([
  [0, '0:00.00'],
  [75.324, '1:15.32'],
  [59.996, '1:00.00'],
  [3735.32, '1:02:15.32'],
  [-1, '0:00.00'],
])('formatClock shows %d s as %s', (seconds, expected) => expect(formatClock(seconds)).toBe(expected));

test('toMeasurement keeps more decimals than displayed values have, but no floating-point noise', () => {
  expect(toMeasurement(0.1 + 0.2)).toBe(0.3);
  expect(toMeasurement(-21.7964)).toBe(-21.796);
});
