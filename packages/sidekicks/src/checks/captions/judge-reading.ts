import { formatCount } from '#sidekick/format-values.ts';
import type { Profile } from '#sidekick/profile.ts';
import { certainFinding } from '#sidekick/rule-table.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import type { FormatTime } from '#sidekick/timecode.ts';
import type { RuleCode } from './rules.ts';
import { describeRun, locationOf, type Offence, runsOf, subjectOf } from './runs.ts';
import { type ReadingSpeed, readingSpeedsOf } from './speed.ts';
import { shownCues, type Track } from './tracks.ts';

type Limits = Profile['limits']['captions'];

/** If fewer captions than this in a row are too fast, they are at most MINOR, because a viewer can still follow. */
const majorRunLength = 3;

/** Reports captions that are too fast to read, have too many lines or have no text. */
export function judgeReading(track: Track, limits: Limits, formatTime: FormatTime): Finding<RuleCode>[] {
  const { wordsPerMinuteMinor: minor, wordsPerMinuteMajor: major } = limits;
  const speeds = readingSpeedsOf(shownCues(track));
  const tooFast = speeds.filter(({ wordsPerMinute }) => wordsPerMinute > major);
  const fast = speeds.filter(({ wordsPerMinute }) => wordsPerMinute > minor && wordsPerMinute <= major);
  return [
    ...judgeSpeed('CAPT-TOO-FAST', tooFast, major, track, formatTime),
    ...judgeSpeed('CAPT-FAST', fast, minor, track, formatTime),
    ...judgeLines(track, limits.linesMax, formatTime),
    ...judgeBlank(track, formatTime),
  ];
}

function judgeSpeed(
  ruleCode: RuleCode,
  speeds: ReadingSpeed[],
  limit: number,
  track: Track,
  formatTime: FormatTime,
): Finding<RuleCode>[] {
  const offences = speeds.map(
    ({ cue, position, wordsPerMinute }): Offence => ({ cue, position, measured: wordsPerMinute }),
  );
  return runsOf(offences).map((run) => {
    const { measured } = run.worst;
    const runAt = run.offences.length === 1 ? 'runs at' : 'run at up to';
    return certainFinding(ruleCode, {
      subject: subjectOf(run, track),
      summary: `${describeRun(run, track, formatTime)} ${runAt} ${measured} words per minute (limit ${limit}). Shorten the text or extend the display time.`,
      severityReasoning: `${measured} words per minute; limit ${limit}`,
      measured,
      limit,
      unit: 'words/min',
      locations: locationOf(run),
      ...(run.offences.length < majorRunLength && { severityMax: 'MINOR' as const }),
    });
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
