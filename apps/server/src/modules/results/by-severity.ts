import type { Issue, Location } from '@assay/contract/schemas/issue.ts';
import { severities } from '@assay/contract/schemas/severity.ts';

type SortableIssue = Pick<Issue, 'severity' | 'locations'>;

/** Sorts the most severe first, then by position in the file. Issues of the whole file come before those of parts. */
export function bySeverity(a: SortableIssue, b: SortableIssue): number {
  return severities.indexOf(a.severity) - severities.indexOf(b.severity) || positionOf(a) - positionOf(b);
}

/** A group of issues has the severity of its most severe issue, and the locations of all. */
export function combineIssues(issues: readonly SortableIssue[]): SortableIssue {
  const severity = severities.find((one) => issues.some((issue) => issue.severity === one)) ?? 'INFO';
  return { severity, locations: issues.flatMap(({ locations }) => locations) };
}

/** The time or page of the first location. A file has one or the other. */
function positionOf({ locations }: SortableIssue): number {
  const places = locations.map(({ startMs, page }: Location) => startMs ?? page ?? -1);
  return places.length === 0 ? -1 : places.reduce((first, place) => Math.min(first, place));
}
