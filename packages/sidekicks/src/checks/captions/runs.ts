import type { Location } from '@assay/contract/schemas/issue.ts';
import type { Cue } from '#evidence/media/captions/parse-cues.ts';
import { formatCount } from '#sidekick/format-values.ts';
import type { FormatTime } from '#sidekick/timecode.ts';
import { toPlainText } from '#sidekick/words.ts';
import type { Track } from './tracks.ts';

const quotedCharactersMax = 60;

/** A cue that breaks a rule, its position among the cues that were checked, and the measured value. */
export type Offence = { cue: Cue; position: number; measured: number };

/** Neighbouring cues that break the same rule. They become one finding. */
export type Run = { offences: [Offence, ...Offence[]]; worst: Offence; startMs: number; endMs: number };

/** The largest number of findings per rule and track. If there are more runs, nearby ones are merged. */
export const runsMax = 20;

export function runsOf(offences: readonly Offence[]): Run[] {
  let stepMax = 1;
  let runs = joinNearby(offences, stepMax);
  while (runs.length > runsMax) {
    stepMax *= 2;
    runs = joinNearby(offences, stepMax);
  }
  return runs.map(runOf);
}

function joinNearby(offences: readonly Offence[], stepMax: number): [Offence, ...Offence[]][] {
  const runs: [Offence, ...Offence[]][] = [];
  for (const offence of offences) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && offence.position - last.position <= stepMax) run.push(offence);
    else runs.push([offence]);
  }
  return runs;
}

function runOf(offences: [Offence, ...Offence[]]): Run {
  let worst = offences[0];
  let [startMs, endMs] = [worst.cue.startMs, worst.cue.startMs];
  for (const offence of offences) {
    if (offence.measured > worst.measured) worst = offence;
    startMs = Math.min(startMs, offence.cue.startMs);
    endMs = Math.max(endMs, offence.cue.startMs, offence.cue.endMs);
  }
  return { offences, worst, startMs, endMs };
}

/** `The caption at 0:12.00 (line 8)`, `12 captions from 0:12.00 to 0:40.10 (lines 8 to 52)`, `… in track 3 (eng)` */
export function describeRun({ offences, startMs, endMs }: Run, { name }: Track, formatTime: FormatTime): string {
  const [first, last] = minAndMax(offences.map(({ cue }) => cue.line));
  const where = name ? ` in ${name}` : ` (${first === last ? `line ${first}` : `lines ${first} to ${last}`})`;
  return offences.length === 1
    ? `The caption at ${formatTime(startMs / 1000)}${where}`
    : `${formatCount(offences.length, 'caption')} from ${formatTime(startMs / 1000)} to ${formatTime(endMs / 1000)}${where}`;
}

/** Where one caption of a run is: `0:12.00 (line 8)`; in a track, which has no lines, only its time. */
export function describePlace({ startMs, line }: Cue, { name }: Track, formatTime: FormatTime): string {
  return `${formatTime(startMs / 1000)}${name ? '' : ` (line ${line})`}`;
}

/** Does not call Math.min(...values), because there can be more values than a call can have arguments. */
function minAndMax(values: readonly number[]): [number, number] {
  return values.reduce<[number, number]>(
    ([least, greatest], value) => [Math.min(least, value), Math.max(greatest, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
}

/** The words of the first caption: unlike its times, they do not change when captions are shifted. */
export function subjectOf({ offences: [{ cue }] }: Run, { name }: Track): string {
  const words = textOf(cue) || 'caption without text';
  return name ? `${name}: ${words}` : words;
}

/** The text is that of the first caption, unless another one is what the finding is about. */
export function locationOf({ offences: [first], startMs, endMs }: Run, { cue }: Offence = first): Location[] {
  const text = textOf(cue);
  return [{ kind: 'timeRange', startMs, endMs, ...(text ? { text } : {}) }];
}

export function textOf(cue: Cue): string {
  return toPlainText(cue.lines.join(' / '), quotedCharactersMax);
}
