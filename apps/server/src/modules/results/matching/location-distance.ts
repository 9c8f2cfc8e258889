import type { Location } from '@assay/contract/schemas/issue.ts';
import { spanOf } from './span-of.ts';

const startDistanceMsMax = 2000;
const pageDistanceMax = 1; // tolerates one inserted page
const sharedAreaMin = 0.3; // intersection over union

/**
 * The distance between two locations by each property: `undefined` unless both have the property, infinite beyond its
 * tolerance. Seconds, pages and area shares have the same weight.
 */
const distanceMeasures: readonly ((a: Location, b: Location) => number | undefined)[] = [
  timeDistance,
  pageDistance,
  textDistance,
  areaDistance,
];

/** The distance between two locations; infinite if it exceeds the tolerance, or if they have no common property. */
export function locationDistance(a: Location, b: Location): number {
  let sum: number | undefined;
  for (const measure of distanceMeasures) {
    const distance = measure(a, b);
    if (distance === Number.POSITIVE_INFINITY) return distance;
    if (distance !== undefined) sum = (sum ?? 0) + distance;
  }
  return sum ?? Number.POSITIVE_INFINITY;
}

function timeDistance(a: Location, b: Location): number | undefined {
  const one = spanOf(a);
  const other = spanOf(b);
  if (!one || !other) return undefined;
  const startDistanceMs = Math.abs(one.startMs - other.startMs);
  const isOverlap = one.startMs <= other.endMs && other.startMs <= one.endMs;
  return isOverlap || startDistanceMs <= startDistanceMsMax ? startDistanceMs / 1000 : Number.POSITIVE_INFINITY;
}

function pageDistance(a: Location, b: Location): number | undefined {
  if (a.page === undefined || b.page === undefined) return undefined;
  const distance = Math.abs(a.page - b.page);
  return distance <= pageDistanceMax ? distance : Number.POSITIVE_INFINITY;
}

function textDistance(a: Location, b: Location): number | undefined {
  if (a.text === undefined || b.text === undefined) return undefined;
  return a.text === b.text ? 0 : Number.POSITIVE_INFINITY;
}

/** Not compared if both have text: the same words are the same issue even if the page layout has changed. */
function areaDistance(a: Location, b: Location): number | undefined {
  if (!a.box || !b.box || (a.text !== undefined && b.text !== undefined)) return undefined;
  const [one, other] = [a.box, b.box];
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  const shared = Math.max(0, width) * Math.max(0, height);
  const share = shared / (one.width * one.height + other.width * other.height - shared);
  // Because of rounding, the share of equal boxes can slightly exceed 1.
  return share >= sharedAreaMin ? Math.max(0, 1 - share) : Number.POSITIVE_INFINITY;
}
