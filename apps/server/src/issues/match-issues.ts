import type { Location } from '@assay/contract/issue.ts';
import { pairNearest } from './pair-nearest.ts';

export type Matchable = { ruleCode: string; subject: string; locations: readonly Location[] };

type Placed<Issue> = { issue: Issue; place: string };

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
  const left = [...waiting.values()].flat().map(({ issue }) => issue);
  for (const [from, to] of pairNearest(left, moved)) matches.set(to, from);
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
