import type { Range } from '#evidence/media/decode/signal/series.ts';

/** Runs at most this far apart become one finding. */
const gapSeconds = 1;

export function groupRuns<Run extends Range>(runs: readonly Run[]): Run[][] {
  const groups: Run[][] = [];
  let endSeconds = Number.NEGATIVE_INFINITY;
  for (const run of runs.toSorted((a, b) => a.startSeconds - b.startSeconds)) {
    if (run.startSeconds - endSeconds <= gapSeconds) groups.at(-1)?.push(run);
    else groups.push([run]);
    endSeconds = Math.max(endSeconds, run.endSeconds);
  }
  return groups;
}

export function rangeOf(runs: readonly Range[]): Range {
  return {
    startSeconds: Math.min(...runs.map(({ startSeconds }) => startSeconds)),
    endSeconds: Math.max(...runs.map(({ endSeconds }) => endSeconds)),
  };
}
