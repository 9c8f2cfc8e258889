import { formatCount } from '#sidekick/format-values.ts';
import type { Profile } from '#sidekick/profile.ts';
import { certain } from '#sidekick/rule-table.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import type { FormatTime } from '#sidekick/timecode.ts';
import type { RuleCode } from './rules.ts';
import { locationOf, nameRun, type Offence, runsOf, subjectOf } from './runs.ts';
import { type Stretch, stretchesOf } from './speed.ts';
import { shownCues, type Track } from './tracks.ts';

type Limits = Profile['limits']['captions'];

/** A reader who misses fewer captions in a row can still follow. */
const runMajor = 3;

/** Can each caption be read while it is shown, and does it leave the frame visible? */
export function judgeReading(track: Track, limits: Limits, formatTime: FormatTime): Finding<RuleCode>[] {
  const { wordsPerMinuteMinor: minor, wordsPerMinuteMajor: major } = limits;
  const stretches = stretchesOf(shownCues(track));
  const tooFast = stretches.filter(({ wordsPerMinute }) => wordsPerMinute > major);
  const fast = stretches.filter(({ wordsPerMinute }) => wordsPerMinute > minor && wordsPerMinute <= major);
  return [
    ...judgeSpeed('CAPT-TOO-FAST', tooFast, major, track, formatTime),
    ...judgeSpeed('CAPT-FAST', fast, minor, track, formatTime),
    ...judgeLines(track, limits.linesMax, formatTime),
    ...judgeBlank(track, formatTime),
  ];
}

function judgeSpeed(
  ruleCode: RuleCode,
  stretches: Stretch[],
  limit: number,
  track: Track,
  formatTime: FormatTime,
): Finding<RuleCode>[] {
  const offences = stretches.map(
    ({ cue, position, wordsPerMinute }): Offence => ({ cue, position, measured: wordsPerMinute }),
  );
  return runsOf(offences).map((run) => {
    const { measured } = run.worst;
    const runAt = run.offences.length === 1 ? 'runs at' : 'run at up to';
    return certain(ruleCode, {
      subject: subjectOf(run, track),
      summary: `${nameRun(run, track, formatTime)} ${runAt} ${measured} words per minute (limit ${limit}). Shorten the text or extend the display time.`,
      severityReasoning: `${measured} words per minute; limit ${limit}`,
      measured,
      limit,
      unit: 'words/min',
      locations: locationOf(run),
      ...(run.offences.length < runMajor && { severityMax: 'MINOR' as const }),
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
    return certain('CAPT-LINES', {
      subject: subjectOf(run, track),
      summary: `${nameRun(run, track, formatTime)} ${has} ${formatCount(measured, 'line')} (limit ${linesMax}). Split the text over more captions.`,
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
    certain('CAPT-BLANK', {
      subject: subjectOf(run, track),
      summary: `${nameRun(run, track, formatTime)} ${run.offences.length === 1 ? 'has' : 'have'} no text. Add the text or remove the caption.`,
      severityReasoning: `${formatCount(run.offences.length, 'caption')} without text once markup is removed`,
      measured: run.offences.length,
      limit: 0,
      unit: 'captions',
      locations: locationOf(run),
    }),
  );
}
