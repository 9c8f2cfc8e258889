import { createRanges, type Range, type Series } from '../signal/series.ts';
import type { ObservedFlashes } from './flashes.ts';

/** What either of two analyses of the same frames has found. */
export function joinFlashes(one: ObservedFlashes, other: ObservedFlashes): ObservedFlashes {
  return {
    ...one,
    runs: [...one.runs, ...other.runs],
    extended: joinRanges([...one.extended, ...other.extended]),
    series: { ...one.series, transitions: higherOf(one.series.transitions, other.series.transitions) },
  };
}

function joinRanges(ranges: readonly Range[]): Range[] {
  const joined = createRanges({ secondsMin: 0 });
  for (const { startSeconds, endSeconds } of ranges.toSorted((a, b) => a.startSeconds - b.startSeconds))
    joined.add(startSeconds, endSeconds);
  return joined.end().ranges;
}

/** Both have the same steps, because they have values at the same times. */
function higherOf({ stepSeconds, values }: Series, other: Series): Series {
  return { stepSeconds, values: values.map((value, i) => Math.max(value, other.values[i] ?? 0)) };
}
