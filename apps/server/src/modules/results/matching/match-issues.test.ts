import type { Location } from '@assay/contract/schemas/issue.ts';
import { fc } from '@assay/testing/run/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { type MatchableIssue, matchIssues } from './match-issues.ts';

type NamedIssue = MatchableIssue & { name: string };

const issue = (name: string, locations: Location[], subject = ''): NamedIssue => ({
  name,
  ruleCode: 'QC-BLACK',
  subject,
  locations,
});
const time = (startMs: number, endMs = startMs): Location => ({ kind: 'timeRange', startMs, endMs });
const page = (number: number): Location => ({ kind: 'page', page: number });
const area = (x: number, on = 1): Location => ({
  kind: 'region',
  page: on,
  box: { x, y: 0, width: 0.4, height: 0.5 },
});
const text = (words: string): Location => ({ kind: 'text', text: words });

/** Maps the name of each matched current issue to the name of its previous issue. */
const matchedNames = (previous: NamedIssue[], current: NamedIssue[]) =>
  Object.fromEntries([...matchIssues(previous, current)].map(([to, from]) => [to.name, from.name]));

const anyLocation = fc.oneof(
  fc
    .tuple(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 0, max: 3000 }))
    .map(([start, length]) => time(start, start + length)),
  fc.integer({ min: 1, max: 9 }).map(page),
  fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 1, max: 3 })).map(([tenths, on]) => area(tenths / 10, on)),
  fc.constantFrom('one', 'two').map(text),
);
const anyIssue = fc.record({
  ruleCode: fc.constantFrom('QC-BLACK', 'QC-FREEZE'),
  subject: fc.constantFrom('', 'Arial'),
  locations: fc.array(anyLocation, { maxLength: 3 }),
});
const withNames = (issues: MatchableIssue[]) => issues.map((one, index) => ({ ...one, name: String(index) }));
// Each issue occurs once, because equal issues cannot be told apart.
const anyDistinctIssues = fc
  .uniqueArray(anyIssue, {
    maxLength: 25,
    selector: ({ ruleCode, subject, locations }) =>
      JSON.stringify([ruleCode, subject, locations.map((location) => JSON.stringify(location)).sort()]),
  })
  .map(withNames);
const inAnyOrder = (issues: NamedIssue[]) =>
  fc.shuffledSubarray(issues, { minLength: issues.length, maxLength: issues.length });

describe('matchIssues, for any two versions', () => {
  test('matches are one to one and have the same rule and subject', () => {
    fc.assert(
      fc.property(fc.array(anyIssue).map(withNames), fc.array(anyIssue).map(withNames), (previous, current) => {
        const matches = matchIssues(previous, current);
        expect(new Set(matches.values()).size).toBe(matches.size);
        for (const [to, from] of matches) {
          expect(current).toContain(to);
          expect(previous).toContain(from);
          expect([from.ruleCode, from.subject]).toEqual([to.ruleCode, to.subject]);
        }
      }),
    );
  });

  test('matches do not depend on the order of the lists', () => {
    const orders = fc
      .tuple(anyDistinctIssues, anyDistinctIssues)
      .chain(([previous, current]) =>
        fc.tuple(fc.constant(previous), fc.constant(current), inAnyOrder(previous), inAnyOrder(current)),
      );
    fc.assert(
      fc.property(orders, ([previous, current, otherPrevious, otherCurrent]) => {
        expect(matchedNames(otherPrevious, otherCurrent)).toEqual(matchedNames(previous, current));
      }),
    );
  });

  test('an unchanged version matches itself, issue by issue', () => {
    fc.assert(
      fc.property(fc.array(anyIssue).map(withNames), (issues) => {
        const again = structuredClone(issues);
        expect(matchedNames(issues, again)).toEqual(Object.fromEntries(issues.map(({ name }) => [name, name])));
      }),
    );
  });

  test('an unmoved issue keeps its match, unless a new issue has exactly the same location', () => {
    fc.assert(
      fc.property(anyDistinctIssues, anyDistinctIssues, (previous, others) => {
        const kept = previous.filter((_, index) => index % 2 === 0);
        const matches = matchIssues(previous, [...others.map((one) => ({ ...one, name: `new ${one.name}` })), ...kept]);
        const unmatched = kept.filter((one) => !matches.has(one));
        // A kept issue may lose its match only to a new issue at exactly the same location.
        for (const one of unmatched) expect([...matches].some(([to, from]) => from === one && to !== one)).toBe(true);
      }),
    );
  });
});

describe('matching by location', () => {
  test.each<[string, Location[], Location[]]>([
    ['the whole asset in both versions', [], []],
    ['starts 2 s apart', [time(5000)], [time(7000)]],
    ['overlapping ranges that start far apart', [time(0, 60_000)], [time(50_000, 90_000)]],
    ['the same page', [page(4)], [page(4)]],
    ['a page moved by one inserted page', [page(4)], [page(5)]],
    ['boxes that share a third', [area(0)], [area(0.2)]],
    ['a box and its whole page', [area(0)], [page(1)]],
    ['a box moved to the next page', [area(0)], [area(0, 2)]],
    ['the same text', [text('Terms apply')], [text('Terms apply')]],
    ['the same text in a new layout', [{ ...area(0), text: 'Terms' }], [{ ...area(0.6), text: 'Terms' }]],
    ['one remaining location of several', [page(1), page(5), page(9)], [page(9)]],
    ['the same locations in a different order', [time(0), time(90_000)], [time(90_000), time(0)]],
  ])('matches %s', (_, from, to) => {
    expect(matchedNames([issue('a', from)], [issue('b', to)])).toEqual({ b: 'a' });
  });

  test.each<[string, Location[], Location[]]>([
    ['the whole asset and a part', [], [page(1)]],
    ['starts more than 2 s apart', [time(5000)], [time(7001)]],
    ['a range moved 10 s by a cut', [time(60_000, 61_000)], [time(50_000, 51_000)]],
    ['a page moved by two inserted pages', [page(4)], [page(6)]],
    ['a page and a time', [page(4)], [time(4)]],
    ['boxes that share a little less than 30 %', [area(0)], [area(0.23)]],
    ['boxes on one page that do not overlap', [area(0)], [area(0.5)]],
    ['a box moved by two pages', [area(0)], [area(0, 3)]],
    ['the same box at a different time', [{ ...area(0), startMs: 0 }], [{ ...area(0), startMs: 9000 }]],
    ['different texts', [text('Terms apply')], [text('Terms applied')]],
  ])('does not match %s', (_, from, to) => {
    expect(matchedNames([issue('a', from)], [issue('b', to)])).toEqual({});
  });

  test('does not match issues of different rules or subjects at the same location', () => {
    const previous = [issue('a', [page(1)], 'Arial')];
    expect(matchedNames(previous, [issue('b', [page(1)], 'Times')])).toEqual({});
    expect(matchedNames(previous, [{ ...issue('b', [page(1)], 'Arial'), ruleCode: 'QC-FREEZE' }])).toEqual({});
  });

  test('compares rule and subject separately', () => {
    const from = { ...issue('a', []), ruleCode: 'QC-A', subject: 'B' };
    expect(matchedNames([from], [{ ...from, name: 'b', ruleCode: 'QC-', subject: 'AB' }])).toEqual({});
  });
});

describe('matching with several candidates', () => {
  test('the nearest is matched, and the remaining issues are matched with the next nearest', () => {
    const previous = [issue('p1', [time(1000)]), issue('p2', [time(2500)])];
    expect(matchedNames(previous, [issue('c1', [time(2000)])])).toEqual({ c1: 'p2' });
    expect(matchedNames(previous, [issue('c1', [time(2000)]), issue('c2', [time(2600)])])).toEqual({
      c1: 'p1',
      c2: 'p2',
    });
  });

  test('at equal distance the earlier one is matched, with times compared as numbers and not as strings', () => {
    const previous = [issue('late', [time(11_000)]), issue('early', [time(9000)])];
    expect(matchedNames(previous, [issue('c', [time(10_000)])])).toEqual({ c: 'early' });
  });

  test('an unmoved issue is preferred to one that only starts at the same time', () => {
    const previous = [issue('p', [time(0, 500)])];
    expect(matchedNames(previous, [issue('shorter', [time(0, 100)]), issue('same', [time(0, 500)])])).toEqual({
      same: 'p',
    });
  });

  test('a candidate with the same locations is matched, whatever their order', () => {
    const previous = [issue('p', [time(0), time(90_000)])];
    const current = [issue('part', [time(0)]), issue('same', [time(90_000), time(0)])];
    expect(matchedNames(previous, current)).toEqual({ same: 'p' });
  });
});

describe('1000 issues and 1000 previous issues of the same rule and subject', () => {
  test.each<[string, (index: number, shiftMs: number) => Location[]]>([
    ['that all concern the whole asset', () => []],
    ['that did not move', (index) => [time(index * 10, 100_000)]],
    ['that each moved a little', (index, shiftMs) => [time(index * 5000 + shiftMs, index * 5000 + 900)]],
    ['that each moved a little and all overlap', (index, shiftMs) => [time(index * 10 + shiftMs, 100_000)]],
  ])('%s are each matched with their own counterpart within 10 s', (_, locationsOf) => {
    const version = (shiftMs: number) =>
      Array.from({ length: 1000 }, (_, index) => issue(String(index), locationsOf(index, shiftMs)));
    const began = performance.now();
    const matches = matchIssues(version(0), version(3));
    // Many times the usual duration: a guard against cubic complexity, not a measurement.
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(matches.size).toBe(1000);
    expect([...matches].every(([to, from]) => to.name === from.name)).toBe(true);
  });
});
