import type { Cue } from '#evidence/media/captions/parse-cues.ts';
import { toMeasurement } from '#sidekick/format-values.ts';

type Range = { startSeconds: number; endSeconds: number };
export type Gap = { startMs: number; endMs: number; activeSeconds: number };

const gapsMax = 20;

/** Finds the longest gaps between captions that contain more than `secondsMin` of audio, trimmed to that audio. */
export function findGaps(active: readonly Range[], cues: readonly Cue[], secondsMin: number): Gap[] {
  const gaps: Gap[] = [];
  let next = 0;
  for (const [from, to] of rangesWithoutCaption(cues)) {
    while (next < active.length && (active[next] as Range).endSeconds <= from) next++;
    const gap: Gap = { startMs: Number.POSITIVE_INFINITY, endMs: 0, activeSeconds: 0 };
    for (let i = next; i < active.length && (active[i] as Range).startSeconds < to; i++) {
      const start = Math.max(from, (active[i] as Range).startSeconds);
      const end = Math.min(to, (active[i] as Range).endSeconds);
      gap.startMs = Math.min(gap.startMs, Math.round(start * 1000));
      gap.endMs = Math.round(end * 1000);
      gap.activeSeconds += end - start;
    }
    if (toMeasurement(gap.activeSeconds) > secondsMin) gaps.push(gap);
  }
  const longest = gaps.toSorted((a, b) => b.activeSeconds - a.activeSeconds).slice(0, gapsMax);
  return longest.toSorted((a, b) => a.startMs - b.startMs);
}

/** Ranges in seconds in which no caption is shown. */
function rangesWithoutCaption(cues: readonly Cue[]): [number, number][] {
  const gaps: [number, number][] = [];
  let endMs = 0;
  for (const cue of cues.filter(({ lines }) => lines.length > 0).toSorted((a, b) => a.startMs - b.startMs)) {
    if (cue.startMs > endMs) gaps.push([endMs / 1000, cue.startMs / 1000]);
    endMs = Math.max(endMs, cue.endMs);
  }
  return [...gaps, [endMs / 1000, Number.POSITIVE_INFINITY]];
}
