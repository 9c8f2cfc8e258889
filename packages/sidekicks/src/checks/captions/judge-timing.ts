import { certain } from '../../rule-table.ts';
import type { Finding } from '../../sidekick.ts';
import { clock } from '../../words.ts';
import type { RuleCode } from './rules.ts';
import { locationOf, nameRun, type Offence, type Run, runsOf, subjectOf } from './runs.ts';
import { shownCues, type Track } from './tracks.ts';

/** Less than a picture of a film with 25 a second is not seen. */
export const overlapMsMax = 40;
/** Streams of one film end a little apart. */
export const beyondEndMsMax = 500;

type Row = {
  ruleCode: RuleCode;
  offences: Offence[];
  says(isOne: boolean): string;
  measure(worstMs: number): string;
  limitMs: number;
};

/** Is each caption shown, in its turn? */
export function judgeTiming(track: Track, filmEndMs: number | null): Finding<RuleCode>[] {
  const rows: Row[] = [
    {
      ruleCode: 'CAPT-DURATION',
      offences: endless(track),
      says: (isOne) =>
        `${isOne ? 'does' : 'do'} not end after ${isOne ? 'it begins' : 'they begin'}. Correct the time.`,
      measure: (ms) => `ends ${ms} ms before it begins`,
      limitMs: 0,
    },
    {
      ruleCode: 'CAPT-ORDER',
      offences: outOfOrder(track),
      says: (isOne) =>
        `${isOne ? 'begins' : 'begin'} before one that stands earlier in the file. Sort captions by time.`,
      measure: (ms) => `begins ${ms} ms before one that stands earlier`,
      limitMs: 0,
    },
    {
      ruleCode: 'CAPT-OVERLAP',
      offences: overlapping(track),
      says: (isOne) => `${isOne ? 'appears' : 'appear'} while the one before still stands. End that one first.`,
      measure: (ms) => `overlaps by ${ms} ms, where ${overlapMsMax} ms are the most`,
      limitMs: overlapMsMax,
    },
    {
      ruleCode: 'CAPT-OUT-OF-RANGE',
      offences: filmEndMs === null ? [] : beyond(track, filmEndMs),
      says: (isOne) =>
        `${isOne ? 'begins' : 'begin'} after the film has ended at ${clock((filmEndMs ?? 0) / 1000)}. Check whether the captions belong to this cut.`,
      measure: (ms) => `begins ${ms} ms after the end, where ${beyondEndMsMax} ms are allowed`,
      limitMs: beyondEndMsMax,
    },
  ];
  return rows.flatMap((row) => runsOf(row.offences).map((run) => findingOf(run, row, track)));
}

function findingOf(run: Run, { ruleCode, says, measure, limitMs }: Row, track: Track): Finding<RuleCode> {
  const { measured } = run.worst;
  return certain(ruleCode, {
    subject: subjectOf(run, track),
    summary: `${nameRun(run, track)} ${says(run.offences.length === 1)}`,
    severityReasoning: `The worst ${measure(measured)}`,
    measured,
    limit: limitMs,
    unit: 'ms',
    locations: locationOf(run),
  });
}

function endless({ cues }: Track): Offence[] {
  return cues.flatMap((cue, position) =>
    cue.endMs <= cue.startMs ? [{ cue, position, measured: cue.startMs - cue.endMs }] : [],
  );
}

function outOfOrder({ cues }: Track): Offence[] {
  let latestMs = 0;
  return cues.flatMap((cue, position) => {
    const measured = latestMs - cue.startMs;
    latestMs = Math.max(latestMs, cue.startMs);
    return measured > 0 ? [{ cue, position, measured }] : [];
  });
}

function overlapping(track: Track): Offence[] {
  let latestMs = 0;
  return shownCues(track).flatMap((cue, position) => {
    const measured = Math.min(latestMs, cue.endMs) - cue.startMs;
    latestMs = Math.max(latestMs, cue.endMs);
    return measured > overlapMsMax ? [{ cue, position, measured }] : [];
  });
}

function beyond({ cues }: Track, filmEndMs: number): Offence[] {
  return cues.flatMap((cue, position) => {
    const measured = Math.round(cue.startMs - filmEndMs);
    return measured > beyondEndMsMax ? [{ cue, position, measured }] : [];
  });
}
