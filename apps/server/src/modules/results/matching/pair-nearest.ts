import type { Location } from '@assay/contract/schemas/issue.ts';
import { createHeap, type Heap } from './heap.ts';
import { locationDistance } from './location-distance.ts';

type LocatedIssue = { locations: readonly Location[] };
type IssuePair = { distance: number; from: number; to: number };
type PlacedLocation = { location: Location; to: number };

/** A coordinate of locations. Its difference divided by `perUnit` is a lower bound of the distance between two. */
type Axis = { of(location: Location): number | undefined; perUnit: number };
/** The locations of the current version: those with this coordinate, sorted by it, and the others. */
type AxisLocations = { axis: Axis; sorted: (PlacedLocation & { at: number })[]; others: PlacedLocation[] };

/** The search for partners of one location of the previous version. Those between `below` and `above` were visited. */
type PartnerSearch = {
  from: number;
  location: Location;
  line: AxisLocations;
  at: number;
  below: number;
  above: number;
  candidates: Heap<IssuePair>;
};

const axes: readonly Axis[] = [
  { of: ({ startMs }) => startMs, perUnit: 1000 },
  { of: ({ page }) => page, perUnit: 1 },
  { of: () => 0, perUnit: 1 }, // without a coordinate, every location is a candidate
];

/**
 * Yields the pairs within tolerance: nearest first, each issue at most once, and at equal distance in the order of the
 * lists. The distance between two issues is that between their nearest locations, because an issue remains the same if
 * some of its locations are fixed.
 *
 * Avoids listing all pairs: each location searches outward along time or pages, only as far as needed to know its
 * nearest free partner.
 */
export function* pairNearest<P extends LocatedIssue, C extends LocatedIssue>(
  previous: readonly P[],
  current: readonly C[],
): Generator<[from: P, to: C]> {
  const isFree = current.map(() => true);
  const isWaiting = previous.map(() => true);
  const lines = axes.map((axis) => sortByAxis(axis, current));
  const searches = previous.flatMap(({ locations }, from) => locations.map((one) => startSearch(one, from, lines)));
  const queue = createHeap<{ pair: IssuePair; search: PartnerSearch }>((a, b) => isBefore(a.pair, b.pair));
  const enqueue = (search: PartnerSearch) => {
    const pair = isWaiting[search.from] ? findNextPair(search, isFree) : undefined;
    if (pair) queue.push({ pair, search });
  };
  for (const search of searches) enqueue(search);
  for (let next = queue.pop(); next; next = queue.pop()) {
    const { from, to } = next.pair;
    if (isWaiting[from] && isFree[to]) {
      isWaiting[from] = false;
      isFree[to] = false;
      yield [previous[from] as P, current[to] as C];
    } else enqueue(next.search);
  }
}

const isBefore = (a: IssuePair, b: IssuePair) =>
  a.distance !== b.distance ? a.distance < b.distance : a.from !== b.from ? a.from < b.from : a.to < b.to;

function sortByAxis(axis: Axis, issues: readonly LocatedIssue[]): AxisLocations {
  const line: AxisLocations = { axis, sorted: [], others: [] };
  for (const [to, { locations }] of issues.entries()) {
    for (const location of locations) {
      const at = axis.of(location);
      if (at === undefined) line.others.push({ location, to });
      else line.sorted.push({ location, to, at });
    }
  }
  line.sorted.sort((a, b) => a.at - b.at);
  return line;
}

function startSearch(location: Location, from: number, lines: readonly AxisLocations[]): PartnerSearch {
  const line = lines.find(({ axis }) => axis.of(location) !== undefined) as AxisLocations;
  const at = line.axis.of(location) as number;
  const above = line.sorted.findIndex((placed) => placed.at >= at);
  const search = {
    from,
    location,
    line,
    at,
    above: above < 0 ? line.sorted.length : above,
    candidates: createHeap(isBefore),
  };
  for (const placed of line.others) addCandidate(search, placed);
  return { ...search, below: search.above - 1 };
}

function findNextPair(search: PartnerSearch, isFree: readonly boolean[]): IssuePair | undefined {
  const { line, at, candidates } = search;
  for (;;) {
    const below = line.sorted[search.below];
    const above = line.sorted[search.above];
    const toBelow = below ? (at - below.at) / line.axis.perUnit : Number.POSITIVE_INFINITY;
    const toAbove = above ? (above.at - at) / line.axis.perUnit : Number.POSITIVE_INFINITY;
    const nearest = candidates.first();
    if (nearest && nearest.distance < toBelow && isFirst(nearest, toAbove, above)) {
      candidates.pop();
      if (isFree[nearest.to]) return nearest;
      continue;
    }
    const next = toBelow <= toAbove ? line.sorted[search.below--] : line.sorted[search.above++];
    if (!next) return undefined;
    if (isFree[next.to]) addCandidate(search, next);
  }
}

/** At equal distance the first in the list comes first. Locations with the same coordinate are in that order. */
const isFirst = ({ distance, to }: IssuePair, toAbove: number, above: PlacedLocation | undefined) =>
  distance < toAbove || (distance === toAbove && above !== undefined && to < above.to);

function addCandidate(
  { from, location, candidates }: Pick<PartnerSearch, 'from' | 'location' | 'candidates'>,
  { location: other, to }: PlacedLocation,
): void {
  const distance = locationDistance(location, other);
  if (distance < Number.POSITIVE_INFINITY) candidates.push({ distance, from, to });
}
