import type { Location } from '@assay/contract/schemas/issue.ts';
import { pairNearest } from './pair-nearest.ts';

export type MatchableIssue = { ruleCode: string; subject: string; locations: readonly Location[] };

type KeyedIssue<Issue> = { issue: Issue; locationKey: string };

/**
 * Matches issues of the next version with those of the previous one: same rule, same subject, and a location within
 * tolerance; nearest pairs first, each issue at most once. The order of the lists matters only among issues of one list
 * that are equal in all three.
 *
 * The location also counts for an issue that is the only one with its rule and subject in both versions. A matched
 * issue keeps its number and, if it is no worse, its dismissal (inherit-decision.ts), and a dismissal must not pass to
 * a different location that nobody has reviewed. The drawback: after a cut of more than two seconds, later issues count
 * as new and are reviewed again.
 */
export function matchIssues<P extends MatchableIssue, C extends MatchableIssue>(
  previous: readonly P[],
  current: readonly C[],
): Map<C, P> {
  const matches = new Map<C, P>();
  const previousByRule = Map.groupBy(previous, ruleAndSubjectOf);
  for (const [key, candidates] of Map.groupBy(current, ruleAndSubjectOf)) {
    matchByLocation(previousByRule.get(key) ?? [], candidates, matches);
  }
  return matches;
}

const ruleAndSubjectOf = ({ ruleCode, subject }: MatchableIssue) => JSON.stringify([ruleCode, subject]);

function matchByLocation<P extends MatchableIssue, C extends MatchableIssue>(
  previous: readonly P[],
  current: readonly C[],
  matches: Map<C, P>,
): void {
  // Unmoved issues are matched first, so that they never match a neighbour. They are also the majority, and need no
  // pairwise comparison.
  const waiting = Map.groupBy(sortByLocation(previous), ({ locationKey }) => locationKey);
  const moved: C[] = [];
  for (const { issue, locationKey } of sortByLocation(current)) {
    const unmoved = waiting.get(locationKey)?.shift();
    if (unmoved) matches.set(issue, unmoved.issue);
    else moved.push(issue);
  }
  const left = [...waiting.values()].flat().map(({ issue }) => issue);
  for (const [from, to] of pairNearest(left, moved)) matches.set(to, from);
}

function sortByLocation<Issue extends MatchableIssue>(issues: readonly Issue[]): KeyedIssue<Issue>[] {
  return issues
    .map((issue) => ({ issue, locationKey: locationKeyOf(issue) }))
    .sort((a, b) => (a.locationKey < b.locationKey ? -1 : Number(a.locationKey > b.locationKey)));
}

/** The key is the same for the same locations in any order. Keys sort by time or page. */
function locationKeyOf({ locations }: MatchableIssue): string {
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
