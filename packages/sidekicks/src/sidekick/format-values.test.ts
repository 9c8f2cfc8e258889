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

describe('a formatted value', () => {
  test.each([
    [formatLevel(-23.04), '−23.0'],
    [formatLevel(-0.04), '0.0'],
    [formatSignedLevel(1.26), '+1.3'],
    [formatSignedLevel(-5), '−5.0'],
    [formatSignedLevel(0.04), '0.0'],
    [formatSeconds(2.484), '2.48 s'],
    [formatPercent(0.1254), '12.5 %'],
    [formatBytes(512), '512 B'],
    [formatBytes(65_536), '64.0 KiB'],
    [formatBytes(6.2 * 1024 ** 3), '6.2 GiB'],
    [formatCount(1, 'tag'), '1 tag'],
    [formatCount(20_000, 'entry', 'entries'), '20,000 entries'],
  ])('is rounded according to its kind: %s (expected: %s)', (shown, expected) => expect(shown).toBe(expected));
});

describe('a formatted value and its limit', () => {
  test.each([
    ['one more decimal is shown', formatLevel(-21.79, -21.8), '−21.79'],
    ['two more decimals are shown if one is not enough', formatLevel(-21.796, -21.8), '−21.796'],
    ['percentages have more decimals', formatPercent(0.0104, 0.01), '1.04 %'],
    ['seconds have more decimals', formatSeconds(2.002, 2), '2.002 s'],
    ['bytes have more decimals', formatBytes(4.04 * 1024 ** 3, 4 * 1024 ** 3), '4.04 GiB'],
    ['integers have decimals', formatDecimals(246.4, 0, 246), '246.4'],
    ['no more decimals are shown than needed', formatLevel(-21.6, -21.8), '−21.6'],
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
])('%d s is formatted as the clock time %s', (seconds, expected) => expect(formatClock(seconds)).toBe(expected));

test('toMeasurement keeps more decimals than displayed values have, but no floating-point noise', () => {
  expect(toMeasurement(0.1 + 0.2)).toBe(0.3);
  expect(toMeasurement(-21.7964)).toBe(-21.796);
});
