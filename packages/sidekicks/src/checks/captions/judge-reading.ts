import { formatCount, formatInteger } from '#sidekick/format-values.ts';
import type { Profile } from '#sidekick/profile.ts';
import { certainFinding } from '#sidekick/rule-table.ts';
import { gradesFor } from '#sidekick/severity.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import type { FormatTime } from '#sidekick/timecode.ts';
import { type RuleCode, rules } from './rules.ts';
import { describePlace, describeRun, locationOf, type Offence, runsOf, subjectOf } from './runs.ts';
import { type ReadingSpeed, readingSpeedsOf } from './speed.ts';
import { shownCues, type Track } from './tracks.ts';

/** If fewer captions than this in a row are too fast, they are at most MINOR, because a viewer can still follow. */
const majorRunLength = 3;

/** Reports captions that are too fast to read, have too many lines or have no text. */
export function judgeReading(track: Track, profile: Profile, formatTime: FormatTime): Finding<RuleCode>[] {
  const { wordsPerMinuteMinor: minor, wordsPerMinuteMajor: major, linesMax } = profile.limits.captions;
  const speeds = readingSpeedsOf(shownCues(track));
  const tooFast = speeds.filter(({ wordsPerMinuteTogether: speed }) => speed > major);
  const fast = speeds.filter(({ wordsPerMinuteTogether: speed }) => speed > minor && speed <= major);
  return [
    ...judgeSpeed('CAPT-TOO-FAST', tooFast, major, { track, profile, formatTime }),
    ...judgeSpeed('CAPT-FAST', fast, minor, { track, profile, formatTime }),
    ...judgeLines(track, linesMax, formatTime),
    ...judgeBlank(track, formatTime),
  ];
}

type Context = { track: Track; profile: Profile; formatTime: FormatTime };

function judgeSpeed(
  ruleCode: RuleCode,
  speeds: ReadingSpeed[],
  limit: number,
  { track, profile, formatTime }: Context,
): Finding<RuleCode>[] {
  const offences = speeds.map(
    ({ cue, position, wordsPerMinute }): Offence => ({ cue, position, measured: wordsPerMinute }),
  );
  const speedAt = new Map(speeds.map((speed) => [speed.position, speed]));
  const majorFrom = limit + majorDistanceOf(ruleCode, profile);
  return runsOf(offences).map((run) => {
    const { worst } = run;
    const speed = `${formatInteger(worst.measured)} words per minute`;
    const calculation = `${formatCount(speedAt.get(worst.position)?.words ?? 0, 'word')} in ${(worst.cue.endMs - worst.cue.startMs) / 1000} s`;
    const what =
      run.offences.length === 1
        ? `runs at ${speed} (limit ${limit}): ${calculation}`
        : `run at up to ${speed} (limit ${limit}), the fastest at ${describePlace(worst.cue, track, formatTime)}: ${calculation}`;
    return certainFinding(ruleCode, {
      subject: subjectOf(run, track),
      summary: `${describeRun(run, track, formatTime)} ${what}. Shorten the text or extend the display time.`,
      severityReasoning: `${calculation} are ${speed}; limit ${limit}`,
      measured: worst.measured,
      limit,
      unit: 'words/min',
      locations: locationOf(run, worst),
      ...(!hasRow(
        run.offences.flatMap(({ position }) => speedAt.get(position) ?? []),
        majorFrom,
      ) && { severityMax: 'MINOR' as const }),
    });
  });
}

/** The distance from the limit at which the profile makes the rule MAJOR. */
function majorDistanceOf(ruleCode: RuleCode, profile: Profile): number {
  const grades = gradesFor(ruleCode, rules[ruleCode], profile) ?? [];
  return grades.find(({ severity }) => severity === 'MAJOR' || severity === 'CRITICAL')?.beyond ?? 0;
}

/** Whether enough captions in a row, each of them, reach this speed. */
function hasRow(speeds: readonly ReadingSpeed[], wordsPerMinuteMin: number): boolean {
  let length = 0;
  let last = Number.NaN;
  return speeds.some(({ position, wordsPerMinuteTogether }) => {
    length = wordsPerMinuteTogether < wordsPerMinuteMin ? 0 : position === last + 1 ? length + 1 : 1;
    last = position;
    return length === majorRunLength;
  });
}

function judgeLines(track: Track, linesMax: number, formatTime: FormatTime): Finding<RuleCode>[] {
  const offences = track.cues.flatMap((cue, position): Offence[] =>
    cue.lines.length > linesMax ? [{ cue, position, measured: cue.lines.length }] : [],
  );
  return runsOf(offences).map((run) => {
    const { measured } = run.worst;
    const has = run.offences.length === 1 ? 'has' : 'have up to';
    return certainFinding('CAPT-LINES', {
      subject: subjectOf(run, track),
      summary: `${describeRun(run, track, formatTime)} ${has} ${formatCount(measured, 'line')} (limit ${linesMax}). Split the text over more captions.`,
      severityReasoning: `${formatCount(measured, 'line')}; limit ${linesMax}`,
      measured,
      limit: linesMax,
      unit: 'lines',
      locations: locationOf(run),
    });
  });
}

function judgeBlank(track: Track, formatTime: FormatTime): Finding<RuleCode>[] {
  const offences = track.cues.flatMap((cue, position): Offence[] =>
    cue.lines.length === 0 ? [{ cue, position, measured: 0 }] : [],
  );
  return runsOf(offences).map((run) =>
    certainFinding('CAPT-BLANK', {
      subject: subjectOf(run, track),
      summary: `${describeRun(run, track, formatTime)} ${run.offences.length === 1 ? 'has' : 'have'} no text. Add the text or remove the caption.`,
      severityReasoning: `${formatCount(run.offences.length, 'caption')} without text once markup is removed`,
      measured: run.offences.length,
      limit: 0,
      unit: 'captions',
      locations: locationOf(run),
    }),
  );
}
