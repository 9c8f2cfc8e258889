import { formatInteger } from '#sidekick/format-values.ts';
import { certainFinding } from '#sidekick/rule-table.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import type { FormatTime } from '#sidekick/timecode.ts';
import type { RuleCode } from './rules.ts';
import { describeRun, locationOf, type Offence, type Run, runsOf, subjectOf } from './runs.ts';
import { shownCues, type Track } from './tracks.ts';

/** One frame at 25 frames per second. A shorter overlap is not visible. */
export const overlapMsMax = 40;
/** Tolerance, because the streams of a file do not end at exactly the same time. */
export const endToleranceMs = 500;

type TimingRule = {
  ruleCode: RuleCode;
  offences: Offence[];
  describe(isOne: boolean): string;
  measure(worstMs: number): string;
  limitMs: number;
};

/** When the video and audio of a file end, and what summaries call the file. */
export type MediaEnd = { endMs: number; kind: 'video' | 'audio' };

/** Reports captions that have no duration, are out of order, overlap, or start after the end of the media. */
export function judgeTiming(track: Track, end: MediaEnd | null, formatTime: FormatTime): Finding<RuleCode>[] {
  const rows: TimingRule[] = [
    {
      ruleCode: 'CAPT-DURATION',
      offences: cuesWithoutDuration(track),
      describe: (isOne) =>
        `${isOne ? 'ends at or before its start' : 'end at or before their start'}. Correct the times.`,
      measure: (ms) => (ms === 0 ? 'ends at its start' : `ends ${formatInteger(ms)} ms before its start`),
      limitMs: 0,
    },
    {
      ruleCode: 'CAPT-ORDER',
      offences: cuesOutOfOrder(track),
      describe: (isOne) =>
        `${isOne ? 'starts before a caption that precedes it' : 'start before a caption that precedes them'} in the file. Sort the captions by start time.`,
      measure: (ms) => `starts ${formatInteger(ms)} ms before a caption that precedes it in the file`,
      limitMs: 0,
    },
    {
      ruleCode: 'CAPT-OVERLAP',
      offences: overlappingCues(track),
      describe: (isOne) => `${isOne ? 'starts' : 'start'} before the previous caption ends. End that caption earlier.`,
      measure: (ms) => `overlaps by ${formatInteger(ms)} ms; limit ${overlapMsMax} ms`,
      limitMs: overlapMsMax,
    },
    {
      ruleCode: 'CAPT-OUT-OF-RANGE',
      offences: end ? cuesAfterEnd(track, end.endMs) : [],
      describe: (isOne) =>
        `${isOne ? 'starts' : 'start'} after the end of the ${end?.kind} at ${formatTime((end?.endMs ?? 0) / 1000)}. Check that the captions belong to this version of the ${end?.kind}.`,
      measure: (ms) => `starts ${formatInteger(ms)} ms after the end; limit ${endToleranceMs} ms`,
      limitMs: endToleranceMs,
    },
  ];
  return rows.flatMap((row) => runsOf(row.offences).map((run) => timingFinding(run, row, track, formatTime)));
}

function timingFinding(
  run: Run,
  { ruleCode, describe, measure, limitMs }: TimingRule,
  track: Track,
  formatTime: FormatTime,
): Finding<RuleCode> {
  const { measured } = run.worst;
  return certainFinding(ruleCode, {
    subject: subjectOf(run, track),
    summary: `${describeRun(run, track, formatTime)} ${describe(run.offences.length === 1)}`,
    severityReasoning: `The worst caption ${measure(measured)}`,
    measured,
    limit: limitMs,
    unit: 'ms',
    locations: locationOf(run),
  });
}

function cuesWithoutDuration({ cues }: Track): Offence[] {
  return cues.flatMap((cue, position) =>
    cue.endMs <= cue.startMs ? [{ cue, position, measured: cue.startMs - cue.endMs }] : [],
  );
}

function cuesOutOfOrder({ cues }: Track): Offence[] {
  let latestMs = 0;
  return cues.flatMap((cue, position) => {
    const measured = latestMs - cue.startMs;
    latestMs = Math.max(latestMs, cue.startMs);
    return measured > 0 ? [{ cue, position, measured }] : [];
  });
}

function overlappingCues(track: Track): Offence[] {
  let latestMs = 0;
  return shownCues(track).flatMap((cue, position) => {
    const measured = Math.min(latestMs, cue.endMs) - cue.startMs;
    latestMs = Math.max(latestMs, cue.endMs);
    return measured > overlapMsMax ? [{ cue, position, measured }] : [];
  });
}

function cuesAfterEnd({ cues }: Track, endMs: number): Offence[] {
  return cues.flatMap((cue, position) => {
    const measured = Math.round(cue.startMs - endMs);
    return measured > endToleranceMs ? [{ cue, position, measured }] : [];
  });
}
