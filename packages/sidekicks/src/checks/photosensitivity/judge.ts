import { type Flashes, type FlashKind, type FlashRun, transitionsMin } from '../../evidence/pass/flashes/flashes.ts';
import type { Range } from '../../evidence/pass/series.ts';
import type { FlashArea, Profile } from '../../profile.ts';
import type { Finding } from '../../sidekick.ts';
import { clock } from '../../words.ts';
import type { RuleCode } from './rules.ts';

type Limits = Profile['photosensitivity'];

/** Runs that follow each other so closely are one finding. */
const gapSeconds = 1;
const transitionsMax = transitionsMin - 1;
const extendedMinimum = 4;
const rowsOf: Record<FlashKind, { ruleCode: RuleCode; subject: string; word: string }> = {
  luminance: { ruleCode: 'PSE-LUMINANCE', subject: 'luminance flashes', word: 'flashes' },
  red: { ruleCode: 'PSE-RED', subject: 'red flashes', word: 'flashes red' },
};
const areaNames: Record<FlashArea, string> = {
  screen: 'the screen',
  '341x256': 'a window of 341 × 256 pixels',
  '416x416': 'a window of 416 × 416 pixels',
};

/** What flashes more than this house allows: by its areas, and by the share of them that it forbids. */
export function judgeFlashes(flashes: Flashes, limits: Limits): Finding<RuleCode>[] {
  const forbidden = flashes.runs.filter(
    ({ area, peakAreaShare }) => limits.areas.includes(area) && peakAreaShare >= limits.areaShareMax,
  );
  const groups = (['luminance', 'red'] as const).flatMap((kind) =>
    gatherRuns(forbidden.filter((run) => run.kind === kind)),
  );
  const failing = groups.map(rangeOf);
  return [
    ...groups.map((runs) => failureOf(runs, limits)),
    ...flashes.extended.filter((range) => !failing.some((other) => overlap(range, other))).map(extendedFinding),
    ...(flashes.isWhole ? [] : [undecodedFinding()]),
  ];
}

function gatherRuns(runs: FlashRun[]): FlashRun[][] {
  const groups: FlashRun[][] = [];
  let endSeconds = Number.NEGATIVE_INFINITY;
  for (const run of runs.toSorted((a, b) => a.startSeconds - b.startSeconds)) {
    if (run.startSeconds - endSeconds <= gapSeconds) groups.at(-1)?.push(run);
    else groups.push([run]);
    endSeconds = Math.max(endSeconds, run.endSeconds);
  }
  return groups;
}

function rangeOf(runs: FlashRun[]): Range {
  return {
    startSeconds: Math.min(...runs.map(({ startSeconds }) => startSeconds)),
    endSeconds: Math.max(...runs.map(({ endSeconds }) => endSeconds)),
  };
}

function overlap(one: Range, other: Range): boolean {
  return one.startSeconds < other.endSeconds && other.startSeconds < one.endSeconds;
}

function failureOf(runs: FlashRun[], { areaShareMax }: Limits): Finding<RuleCode> {
  const worst = runs.reduce((a, b) => (b.peakAreaShare > a.peakAreaShare ? b : a));
  const { ruleCode, subject, word } = rowsOf[worst.kind];
  const { startSeconds, endSeconds } = rangeOf(runs);
  const transitions = Math.max(...runs.map(({ peakTransitions }) => peakTransitions));
  const share = (100 * worst.peakAreaShare).toFixed(1);
  return {
    ruleCode,
    subject,
    summary: `From ${clock(startSeconds)} to ${clock(endSeconds)} the picture ${word} up to ${flashesOf(transitions)} times within a second, over ${share} % of ${areaNames[worst.area]}. Slow it down, soften it or make it smaller.`,
    severityReasoning: `${transitions} alternating transitions within a second, limit ${transitionsMax}; together over ${share} % of ${areaNames[worst.area]}, limit ${(100 * areaShareMax).toFixed(0)} %`,
    confidence: 1,
    isCertain: true,
    measured: transitions,
    limit: transitionsMax,
    unit: 'transitions/s',
    locations: [{ kind: 'region', startMs: ms(startSeconds), endMs: ms(endSeconds), box: worst.box }],
    stillsAtMs: [...new Set([ms(startSeconds), ms(worst.peakSeconds), ms(endSeconds)])].toSorted((a, b) => a - b),
  };
}

/** Two transitions are a flash; `3½`, as seven are more than three. */
function flashesOf(transitions: number): string {
  return `${Math.floor(transitions / 2)}${transitions % 2 ? '½' : ''}`;
}

function extendedFinding({ startSeconds, endSeconds }: Range): Finding<RuleCode> {
  const seconds = endSeconds - startSeconds;
  return {
    ruleCode: 'PSE-EXTENDED',
    subject: 'flashes for long',
    summary: `From ${clock(startSeconds)} to ${clock(endSeconds)} a quarter of the picture flashes at least twice in every second without a rest.`,
    severityReasoning: `${extendedMinimum} transitions or more in every second for ${seconds.toFixed(1)} s; from 5 s on it is worth a look`,
    confidence: 0.7,
    isCertain: false,
    measured: Math.round(seconds * 10) / 10,
    limit: 5,
    unit: 's',
    locations: [{ kind: 'timeRange', startMs: ms(startSeconds), endMs: ms(endSeconds) }],
    stillsAtMs: [ms((startSeconds + endSeconds) / 2)],
  };
}

function undecodedFinding(): Finding<RuleCode> {
  return {
    ruleCode: 'PSE-NOT-VERIFIED',
    subject: 'pictures that could not be decoded',
    summary: 'Some frames could not be decoded and were not checked for flashes.',
    severityReasoning: 'The decoder reported errors.',
    confidence: 0.5,
    isCertain: false,
    locations: [],
  };
}

function ms(seconds: number): number {
  return Math.max(0, Math.round(seconds * 1000));
}
