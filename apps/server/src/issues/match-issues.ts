import type { Location } from '@assay/contract/issue.ts';
import { spanOf } from './span-of.ts';

export type Matchable = { ruleCode: string; subject: string; locations: readonly Location[] };

type Placed<Issue> = { issue: Issue; place: string };

const startsApartMsMax = 2000;
const pagesApartMax = 1; // a page inserted before it
const sharedAreaMin = 0.3; // intersection over union

/**
 * How far apart two locations are, by each thing that can be compared: `undefined` where they do not both have it,
 * infinite where it is out of tolerance. Seconds, pages and shares of an area count alike.
 */
const measures: readonly ((a: Location, b: Location) => number | undefined)[] = [
  timeApart,
  pagesApart,
  textApart,
  areaApart,
];

/**
 * Which issue of the next version is the same finding as one of the previous version: same rule, same subject, and a
 * place within tolerance; the nearest pair first, and each issue at most once. The order of the lists does not matter,
 * except among issues of one list that are alike in all three.
 *
 * A finding that is the only one of its rule and subject in both versions is held to its place too. What matches keeps
 * its number and its dismissal, and a dismissal must not pass to another spot of the asset that nobody has looked at.
 * The price: after a cut of more than two seconds, what comes later counts as new and is looked at again.
 */
export function matchIssues<P extends Matchable, C extends Matchable>(
  previous: readonly P[],
  current: readonly C[],
): Map<C, P> {
  const matches = new Map<C, P>();
  const previousByRule = Map.groupBy(previous, ruleAndSubjectOf);
  for (const [key, candidates] of Map.groupBy(current, ruleAndSubjectOf)) {
    matchByPlace(previousByRule.get(key) ?? [], candidates, matches);
  }
  return matches;
}

const ruleAndSubjectOf = ({ ruleCode, subject }: Matchable) => JSON.stringify([ruleCode, subject]);

function matchByPlace<P extends Matchable, C extends Matchable>(
  previous: readonly P[],
  current: readonly C[],
  matches: Map<C, P>,
): void {
  // What has not moved comes first and is never given away to a neighbour. It is also most of two versions, and needs
  // no comparison of all with all.
  const waiting = Map.groupBy(byPlace(previous), ({ place }) => place);
  const moved: C[] = [];
  for (const { issue, place } of byPlace(current)) {
    const unmoved = waiting.get(place)?.shift();
    if (unmoved) matches.set(issue, unmoved.issue);
    else moved.push(issue);
  }
  const taken = new Set<P>();
  const left = [...waiting.values()].flat().map(({ issue }) => issue);
  for (const { from, to } of nearestFirst(left, moved)) {
    if (taken.has(from) || matches.has(to)) continue;
    taken.add(from);
    matches.set(to, from);
  }
}

/** Every pair within tolerance. The sort is stable: pairs equally near stay in the order in which they came. */
function nearestFirst<P extends Matchable, C extends Matchable>(previous: readonly P[], current: readonly C[]) {
  const pairs: { from: P; to: C; distance: number }[] = [];
  for (const from of previous) {
    for (const to of current) {
      const distance = distanceBetween(from, to);
      if (distance < Number.POSITIVE_INFINITY) pairs.push({ from, to, distance });
    }
  }
  return pairs.sort((a, b) => a.distance - b.distance);
}

function byPlace<Issue extends Matchable>(issues: readonly Issue[]): Placed<Issue>[] {
  return issues
    .map((issue) => ({ issue, place: placeOf(issue) }))
    .sort((a, b) => (a.place < b.place ? -1 : Number(a.place > b.place)));
}

/** Equal for equal places however they are listed, and in the order of time or pages. */
function placeOf({ locations }: Matchable): string {
  const padded = (value: number | undefined) => value?.toString().padStart(16, '0') ?? '';
  return locations
    .map(({ kind, startMs, endMs, page, box, text }) =>
      JSON.stringify([
        ...[startMs, endMs, page].map(padded),
        ...(box ? [box.x, box.y, box.width, box.height] : []),
        text ?? null,
        kind,
      ]),
    )
    .sort()
    .join();
}

/** The nearest two locations count: a finding in many places is still the same when some of them are mended. */
function distanceBetween(a: Matchable, b: Matchable): number {
  let least = Number.POSITIVE_INFINITY;
  for (const one of a.locations) for (const other of b.locations) least = Math.min(least, locationsApart(one, other));
  return least;
}

function locationsApart(a: Location, b: Location): number {
  let sum: number | undefined;
  for (const measure of measures) {
    const distance = measure(a, b);
    if (distance === Number.POSITIVE_INFINITY) return distance;
    if (distance !== undefined) sum = (sum ?? 0) + distance;
  }
  return sum ?? Number.POSITIVE_INFINITY;
}

function timeApart(a: Location, b: Location): number | undefined {
  const one = spanOf(a);
  const other = spanOf(b);
  if (!one || !other) return undefined;
  const startsApartMs = Math.abs(one.startMs - other.startMs);
  const isOverlap = one.startMs <= other.endMs && other.startMs <= one.endMs;
  return isOverlap || startsApartMs <= startsApartMsMax ? startsApartMs / 1000 : Number.POSITIVE_INFINITY;
}

function pagesApart(a: Location, b: Location): number | undefined {
  if (a.page === undefined || b.page === undefined) return undefined;
  const distance = Math.abs(a.page - b.page);
  return distance <= pagesApartMax ? distance : Number.POSITIVE_INFINITY;
}

function textApart(a: Location, b: Location): number | undefined {
  if (a.text === undefined || b.text === undefined) return undefined;
  return a.text === b.text ? 0 : Number.POSITIVE_INFINITY;
}

/** Not where there is text to compare: the same words are the same finding after the page was laid out anew. */
function areaApart(a: Location, b: Location): number | undefined {
  if (!a.box || !b.box || (a.text !== undefined && b.text !== undefined)) return undefined;
  const [one, other] = [a.box, b.box];
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  const shared = Math.max(0, width) * Math.max(0, height);
  const share = shared / (one.width * one.height + other.width * other.height - shared);
  return share >= sharedAreaMin ? 1 - share : Number.POSITIVE_INFINITY;
}
