import type { Location } from '@assay/contract/schemas/issue.ts';
import { severities } from '@assay/contract/schemas/severity.ts';
import { fc } from '@assay/testing/run/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { type ComparableIssue, type WorsenedAspect, worsenings } from './worsening.ts';

const pairCount = Number(process.env.PAIRS ?? 2000);

const timeRange = (startMs: number, lengthMs = 0): Location => ({
  kind: 'timeRange',
  startMs,
  endMs: startMs + lengthMs,
});
const regionOnPage = (page: number, width: number): Location => ({
  kind: 'region',
  page,
  box: { x: 0, y: 0, width, height: 0.5 },
});

const anyLocations = fc.oneof(
  fc.array(
    fc
      .tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 20 }))
      .map(([start, length]) => timeRange(start * 100, length * 100)),
    { minLength: 1, maxLength: 4 },
  ),
  fc.array(
    fc
      .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 9 }))
      .map(([page, tenths]) => regionOnPage(page, tenths / 10)),
    { minLength: 1, maxLength: 4 },
  ),
  fc.constant([]),
);
/** An issue whose value is beyond an upper limit (loud, long) or a lower one (quiet, short). */
const anyIssue: fc.Arbitrary<ComparableIssue> = fc.record({
  severity: fc.constantFrom(...severities),
  measured: fc.oneof(fc.constant(null), fc.integer({ min: -30, max: 30 })),
  limitValue: fc.oneof(fc.constant(null), fc.constant(0)),
  unit: fc.constantFrom(null, 'LU'),
  locations: anyLocations,
});

/** Makes an issue one step worse in one respect, if possible. */
const worsenBy: Record<WorsenedAspect, (issue: ComparableIssue) => ComparableIssue | undefined> = {
  severity: (issue) => {
    const severity = severities[severities.indexOf(issue.severity) - 1];
    return severity && { ...issue, severity };
  },
  measured: (issue) =>
    issue.measured === null || issue.limitValue === null
      ? { ...issue, measured: (issue.measured ?? 0) + 1 }
      : { ...issue, measured: issue.measured + (issue.measured < issue.limitValue ? -1 : 1) },
  extent: (issue) => {
    const [first, ...others] = issue.locations;
    if (!first) return undefined;
    // After all other locations, so that none of them covers it.
    const more = first.startMs === undefined ? regionOnPage((first.page ?? 1) + 10, 0.1) : timeRange(60_000, 100);
    return { ...issue, locations: [first, ...others, more] };
  },
};

describe(`worsenings of ${pairCount} generated issues`, () => {
  test.each(Object.keys(worsenBy) as WorsenedAspect[])('include a worse %s even if the severity improved', (what) => {
    fc.assert(
      fc.property(anyIssue, fc.nat({ max: 3 }), (before, milder) => {
        const worse = worsenBy[what](before);
        if (!worse) return;
        const severity = severities[Math.min(3, severities.indexOf(before.severity) + milder)] ?? worse.severity;
        const now = what === 'severity' ? worse : { ...worse, severity };
        expect(worsenings(before, now)).toContain(what);
      }),
      { numRuns: pairCount },
    );
  });

  test('are empty if everything is equal or better', () => {
    fc.assert(
      fc.property(anyIssue, anyIssue, (one, other) => {
        expect(worsenings(one, one)).toEqual([]);
        for (const what of Object.keys(worsenBy) as WorsenedAspect[]) {
          const worse = worsenBy[what](one);
          // For a value without a limit, neither direction is better.
          const isOrdered = what !== 'measured' || (one.limitValue !== null && one.measured !== null);
          if (worse && isOrdered) expect(worsenings(worse, one)).toEqual([]);
        }
        // If the severity got worse from one issue to the other, it improved in reverse.
        const [there, back] = [worsenings(one, other), worsenings(other, one)];
        if (there.includes('severity')) expect(back).not.toContain('severity');
      }),
      { numRuns: pairCount },
    );
  });

  test('do not depend on the order of the locations', () => {
    const orders = fc
      .tuple(anyIssue, anyIssue)
      .chain(([before, now]) =>
        fc.tuple(
          fc.constant(before),
          fc.constant(now),
          fc.shuffledSubarray([...now.locations], { minLength: now.locations.length }),
        ),
      );
    fc.assert(
      fc.property(orders, ([before, now, locations]) => {
        expect(worsenings(before, { ...now, locations })).toEqual(worsenings(before, now));
        expect(worsenings({ ...now, locations }, before)).toEqual(worsenings(now, before));
      }),
      { numRuns: pairCount },
    );
  });
});

const flashIssue: ComparableIssue = {
  severity: 'MAJOR',
  measured: 8,
  limitValue: 6,
  unit: 'transitions/s',
  locations: [timeRange(5000, 1000)],
};

test.each<[string, WorsenedAspect[], Partial<ComparableIssue>, Partial<ComparableIssue>]>([
  ['a flash of one second becomes one of ten minutes', ['extent'], {}, { locations: [timeRange(5000, 600_000)] }],
  ['two shorter flashes replace one', [], {}, { locations: [timeRange(5000, 300), timeRange(5500, 300)] }],
  ['one click becomes two', ['extent'], { locations: [timeRange(1)] }, { locations: [timeRange(1), timeRange(2)] }],
  ['the extent grows from a part to the whole asset', ['extent'], {}, { locations: [] }],
  ['the extent shrinks from the whole asset to a part', [], { locations: [] }, {}],
  [
    'the region becomes larger',
    ['extent'],
    { locations: [regionOnPage(1, 0.2)] },
    { locations: [regionOnPage(1, 0.3)] },
  ],
  [
    'a page is added',
    ['extent'],
    { locations: [regionOnPage(1, 0.2)] },
    { locations: [regionOnPage(1, 0.2), regionOnPage(2, 0.2)] },
  ],
  ['the value moves nearer to the limit', [], {}, { measured: 7 }],
  [
    'the value falls further below a lower limit',
    ['measured'],
    { measured: -24, limitValue: -23 },
    { measured: -25, limitValue: -23 },
  ],
  [
    'the value moves from above the limit to below it',
    ['measured'],
    { measured: -20, limitValue: -23 },
    { measured: -24, limitValue: -23 },
  ],
  ['the unit changes', ['measured'], {}, { unit: 'Hz' }],
  ['the limit becomes stricter for the same value', [], {}, { limitValue: 5 }],
  ['a value appears where there was none', ['measured'], { measured: null }, {}],
])('when %s, worsenings returns %j', (_, worsened, before, now) => {
  expect(worsenings({ ...flashIssue, ...before }, { ...flashIssue, ...now })).toEqual(worsened);
});
