import type { Location } from '@assay/contract/schemas/issue.ts';
import { locationDistance } from '../location-distance.ts';

type LocatedIssue = { locations: readonly Location[] };

/** Reference implementation for `pair-nearest.ts`: lists and sorts all pairs. */
export function pairBySorting<P extends LocatedIssue, C extends LocatedIssue>(
  previous: readonly P[],
  current: readonly C[],
): [from: P, to: C][] {
  const pairs = previous.flatMap((from) =>
    current
      .map((to) => ({ from, to, distance: distanceBetween(from, to) }))
      .filter(({ distance }) => distance < Infinity),
  );
  const taken = new Set<P | C>();
  return pairs
    .sort((a, b) => a.distance - b.distance)
    .flatMap(({ from, to }): [P, C][] => {
      if (taken.has(from) || taken.has(to)) return [];
      taken.add(from).add(to);
      return [[from, to]];
    });
}

const distanceBetween = (a: LocatedIssue, b: LocatedIssue) =>
  Math.min(...a.locations.flatMap((one) => b.locations.map((other) => locationDistance(one, other))));
