import type { Profile } from '../../profile.ts';
import { certain } from '../../rule-table.ts';
import type { Finding } from '../../sidekick.ts';
import { count } from '../../words.ts';
import type { RuleCode } from './rules.ts';
import { locationOf, nameRun, type Offence, runsOf, subjectOf } from './runs.ts';
import { type Stretch, stretchesOf } from './speed.ts';
import { shownCues, type Track } from './tracks.ts';

type Limits = Profile['captions'];

/** Can each caption be read in its time, and without covering the picture? */
export function judgeReading(track: Track, limits: Limits): Finding<RuleCode>[] {
  const { wordsPerMinuteMinor: minor, wordsPerMinuteMajor: major } = limits;
  const stretches = stretchesOf(shownCues(track));
  const tooFast = stretches.filter(({ wordsPerMinute }) => wordsPerMinute > major);
  const fast = stretches.filter(({ wordsPerMinute }) => wordsPerMinute > minor && wordsPerMinute <= major);
  return [
    ...speak('CAPT-TOO-FAST', tooFast, major, track),
    ...speak('CAPT-FAST', fast, minor, track),
    ...judgeLines(track, limits.linesMax),
    ...judgeBlank(track),
  ];
}

function speak(ruleCode: RuleCode, stretches: Stretch[], limit: number, track: Track): Finding<RuleCode>[] {
  const offences = stretches.map(
    ({ cue, position, wordsPerMinute }): Offence => ({ cue, position, measured: wordsPerMinute }),
  );
  return runsOf(offences).map((run) => {
    const { measured } = run.worst;
    const [runs, upTo] = run.offences.length === 1 ? ['runs', 'at'] : ['run', 'at up to'];
    return certain(ruleCode, {
      subject: subjectOf(run, track),
      summary: `${nameRun(run, track)} ${runs} ${upTo} ${measured} words a minute. Shorten the text, or let it stand longer.`,
      severityReasoning: `${measured} words a minute, where ${limit} are the most`,
      measured,
      limit,
      unit: 'words/min',
      locations: locationOf(run),
    });
  });
}

function judgeLines(track: Track, linesMax: number): Finding<RuleCode>[] {
  const offences = track.cues.flatMap((cue, position): Offence[] =>
    cue.lines.length > linesMax ? [{ cue, position, measured: cue.lines.length }] : [],
  );
  return runsOf(offences).map((run) => {
    const { measured } = run.worst;
    const [has, upTo] = run.offences.length === 1 ? ['has', ''] : ['have', 'up to '];
    return certain('CAPT-LINES', {
      subject: subjectOf(run, track),
      summary: `${nameRun(run, track)} ${has} ${upTo}${measured} lines. Split the text over more captions.`,
      severityReasoning: `${count(measured, 'line')}, where ${linesMax} are the most`,
      measured,
      limit: linesMax,
      unit: 'lines',
      locations: locationOf(run),
    });
  });
}

function judgeBlank(track: Track): Finding<RuleCode>[] {
  const offences = track.cues.flatMap((cue, position): Offence[] =>
    cue.lines.length === 0 ? [{ cue, position, measured: 0 }] : [],
  );
  return runsOf(offences).map((run) =>
    certain('CAPT-BLANK', {
      subject: subjectOf(run, track),
      summary: `${nameRun(run, track)} ${run.offences.length === 1 ? 'has' : 'have'} no text. Write it, or take the caption out.`,
      severityReasoning: `${count(run.offences.length, 'caption')} without a letter once tags are taken off`,
      measured: run.offences.length,
      limit: 0,
      unit: 'captions',
      locations: locationOf(run),
    }),
  );
}
