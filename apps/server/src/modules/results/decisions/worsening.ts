import type { Location } from '@assay/contract/schemas/issue.ts';
import { type Severity, severities } from '@assay/contract/schemas/severity.ts';
import { type Span, spanOf } from '../matching/span-of.ts';

export type ComparableIssue = {
  severity: Severity;
  measured: number | null;
  limitValue: number | null;
  unit: string | null;
  locations: readonly Location[];
};

export type WorsenedAspect = 'severity' | 'measured' | 'extent';

/** Returns the aspects in which an issue is worse than before: a decision holds only for one that is no worse. */
export function worsenings(before: ComparableIssue, now: ComparableIssue): WorsenedAspect[] {
  const isWorse: Record<WorsenedAspect, boolean> = {
    severity: severities.indexOf(now.severity) < severities.indexOf(before.severity),
    measured: isFurtherBeyondLimit(before, now),
    extent: isWider(before.locations, now.locations),
  };
  return (Object.keys(isWorse) as WorsenedAspect[]).filter((what) => isWorse[what]);
}

/** Whether the value is further beyond the current limit. Incomparable values count as worse unless they are equal. */
function isFurtherBeyondLimit(before: ComparableIssue, now: ComparableIssue): boolean {
  if (before.measured === now.measured && before.unit === now.unit) return false;
  if (before.measured === null || now.measured === null || before.unit !== now.unit || now.limitValue === null) {
    return true;
  }
  const excess = now.measured - now.limitValue;
  const excessBefore = before.measured - now.limitValue;
  const isOtherSide = excess !== 0 && Math.sign(excess) !== Math.sign(excessBefore);
  return isOtherSide || Math.abs(excess) > Math.abs(excessBefore);
}

/** The ways to measure how much of the asset an issue covers. An issue without a location covers everything. */
const extentMeasures: readonly ((locations: readonly Location[]) => number)[] = [
  coveredMs,
  pageCount,
  locationCount,
  largestArea,
];

const isWider = (before: readonly Location[], now: readonly Location[]) =>
  extentMeasures.some((extentOf) => extentOf(now) > extentOf(before));

function coveredMs(locations: readonly Location[]): number {
  const spans: Span[] = [];
  for (const location of locations) {
    const span = spanOf(location);
    if (!span) return Number.POSITIVE_INFINITY;
    spans.push(span);
  }
  if (spans.length === 0) return Number.POSITIVE_INFINITY;
  let [covered, coveredUntil] = [0, 0];
  for (const { startMs, endMs } of spans.sort((a, b) => a.startMs - b.startMs)) {
    covered += Math.max(0, endMs - Math.max(startMs, coveredUntil));
    coveredUntil = Math.max(coveredUntil, endMs);
  }
  return covered;
}

function pageCount(locations: readonly Location[]): number {
  const pages = new Set(locations.map(({ page }) => page));
  return pages.size === 0 || pages.has(undefined) ? Number.POSITIVE_INFINITY : pages.size;
}

/** How many locations have no duration; those with a duration are measured by `coveredMs`. */
function locationCount(locations: readonly Location[]): number {
  if (locations.length === 0) return Number.POSITIVE_INFINITY;
  return locations.filter((location) => {
    const span = spanOf(location);
    return !span || span.startMs === span.endMs;
  }).length;
}

function largestArea(locations: readonly Location[]): number {
  if (locations.length === 0) return 1;
  return Math.max(...locations.map(({ box }) => (box ? box.width * box.height : 1)));
}
