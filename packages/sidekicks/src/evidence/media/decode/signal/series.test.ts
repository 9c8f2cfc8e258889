import { seriesPointsMax } from '@assay/contract/limits.ts';
import { fc } from '@assay/testing/run/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { createRanges, createSeries, rangesMax } from './series.ts';

describe('createSeries', () => {
  test('keeps short input unchanged', () => {
    const series = createSeries({ stepSeconds: 0.1, pool: 'max' });
    for (let i = 0; i < 5; i++) series.add(i * 0.1, i);
    expect(series.end()).toEqual({ stepSeconds: 0.1, values: [0, 1, 2, 3, 4] });
  });

  test('fills steps without a value with the previous value', () => {
    const series = createSeries({ stepSeconds: 1, pool: 'mean' });
    series.add(0, 3);
    series.add(3, 5);
    expect(series.end().values).toEqual([3, 3, 3, 5]);
  });

  test('never returns more values than the limit, and keeps the maximum or the mean', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9000 }), fc.integer({ min: 0, max: 8999 }), (length, at) => {
        const [max, mean] = [
          createSeries({ stepSeconds: 1, pool: 'max' }),
          createSeries({ stepSeconds: 1, pool: 'mean' }),
        ];
        for (let i = 0; i < length; i++) {
          max.add(i, i === at ? 9 : i % 7);
          mean.add(i, i % 2);
        }
        const [highest, even] = [max.end(), mean.end()];
        expect(highest.values.length).toBeLessThanOrEqual(seriesPointsMax);
        expect(highest.values.length * highest.stepSeconds).toBeGreaterThanOrEqual(length);
        if (at < length) expect(highest.values[Math.floor(at / highest.stepSeconds)]).toBe(9);
        if (length > seriesPointsMax) expect(even.values[0]).toBe(0.5);
      }),
      { numRuns: 50 },
    );
  });
});

describe('createRanges', () => {
  test('merges ranges that are close together, and leaves out short ranges', () => {
    const ranges = createRanges({ secondsMin: 1, gapSeconds: 0.5 });
    for (const [start, end] of [
      [0, 1],
      [1.5, 2],
      [3, 3.5],
      [5, 7],
    ] as const)
      ranges.add(start, end);
    expect(ranges.end()).toEqual({
      ranges: [
        { startSeconds: 0, endSeconds: 2 },
        { startSeconds: 5, endSeconds: 7 },
      ],
      omittedCount: 0,
    });
  });

  test('counts ranges beyond the limit without keeping them', () => {
    const ranges = createRanges({ secondsMin: 0 });
    for (let i = 0; i < rangesMax + 5; i++) ranges.add(2 * i, 2 * i + 1);
    const { ranges: kept, omittedCount } = ranges.end();
    expect([kept.length, omittedCount]).toEqual([rangesMax, 5]);
  });
});
