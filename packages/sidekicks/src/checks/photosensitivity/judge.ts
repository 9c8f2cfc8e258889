import { stillsPerIssueMax } from '@assay/contract/limits.ts';
import { describePlaces } from '@assay/contract/place-words.ts';
import { type Flashes, type FlashRun, transitionsMin } from '#evidence/media/decode/flashes/flashes.ts';
import type { Range } from '#evidence/media/decode/signal/series.ts';
import type { FlashKind, FlashStill } from '#sidekick/flash-still.ts';
import { formatPercent, formatSeconds, toMilliseconds } from '#sidekick/format-values.ts';
import type { FlashArea, Profile } from '#sidekick/profile.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import type { FormatTime } from '#sidekick/timecode.ts';
import { groupRuns, rangeOf } from './group-runs.ts';
import type { RuleCode } from './rules.ts';

type Limits = Profile['limits']['photosensitivity'];

const transitionsMax = transitionsMin - 1;
const extendedMinimum = 4;
const flashKinds: Record<FlashKind, { ruleCode: RuleCode; subject: string; word: string; cause: string }> = {
  luminance: { ruleCode: 'PSE-LUMINANCE', subject: 'luminance flashes', word: 'flashes', cause: 'contrast' },
  red: { ruleCode: 'PSE-RED', subject: 'red flashes', word: 'flashes red', cause: 'saturation' },
};
/** What a share is a share of: the screen, or as much of it as is in view at once. */
const areaNames: Record<FlashArea, { words: string; definition: string }> = {
  screen: { words: 'the screen', definition: '' },
  '341x256': { words: 'the central view', definition: centralView('WCAG’s', '341 × 256') },
  '416x416': { words: 'the central view', definition: centralView('the Trace Center’s', '416 × 416') },
};
/** From this share on, a text says that all of the area flashes. */
const wholeShare = 0.995;
/** Stills of flashes further apart than this show different flashes. */
const stillSecondsApart = 1;

/** Reports flashes whose share of an area reaches the limit of the delivery profile. */
export function judgeFlashes(flashes: Flashes, limits: Limits, formatTime: FormatTime): Finding<RuleCode>[] {
  const overLimit = flashes.runs.filter(
    ({ area, peakAreaShare }) => limits.areas.includes(area) && peakAreaShare >= limits.areaShareMax,
  );
  const groups = (['luminance', 'red'] as const).flatMap((kind) =>
    groupRuns(overLimit.filter((run) => run.kind === kind)),
  );
  const failing = groups.map(rangeOf);
  return [
    ...groups.map((runs) => flashFinding(runs, flashes.isByField, limits, formatTime)),
    ...flashes.extended
      .filter((range) => !failing.some((other) => overlap(range, other)))
      .map((range) => extendedFinding(range, flashes.isByField, formatTime)),
  ];
}

function overlap(one: Range, other: Range): boolean {
  return one.startSeconds < other.endSeconds && other.startSeconds < one.endSeconds;
}

function flashFinding(
  runs: FlashRun[],
  isByField: boolean,
  { areaShareMax }: Limits,
  formatTime: FormatTime,
): Finding<RuleCode> {
  const worst = runs.reduce((a, b) => (b.peakAreaShare > a.peakAreaShare ? b : a));
  const { ruleCode, subject, word, cause } = flashKinds[worst.kind];
  const { startSeconds, endSeconds } = rangeOf(runs);
  const transitions = Math.max(...runs.map(({ peakTransitions }) => peakTransitions));
  const { words, definition } = areaNames[worst.area];
  const share = formatPercent(worst.peakAreaShare, areaShareMax);
  return {
    ruleCode,
    subject,
    summary: `From ${formatTime(startSeconds)} to ${formatTime(endSeconds)}, the video ${word} up to ${formatFlashCount(transitions)} times within a second ${describeArea(worst, areaShareMax)}. Reduce the rate, the ${cause} or the area of the flashes.`,
    severityReasoning: `${transitions} opposing changes within a second (limit ${transitionsMax}), on ${share} of ${words}${definition} (limit ${formatPercent(areaShareMax)})`,
    confidence: 1,
    isCertain: true,
    measured: transitions,
    limit: transitionsMax,
    unit: 'transitions/s',
    locations: worst.boxes.map((box) => ({
      kind: 'region',
      startMs: toMilliseconds(startSeconds),
      endMs: toMilliseconds(endSeconds),
      box,
    })),
    flashStills: flashStillsOf(runs, isByField),
  };
}

/** `in the whole frame`, `in the top left of the frame, on 52.0 % of the central view` */
function describeArea({ area, peakAreaShare, boxes }: FlashRun, areaShareMax: number): string {
  const place = describePlaces(boxes);
  const isWhole = peakAreaShare >= wholeShare;
  if (isWhole && place === describePlaces([])) return `in ${place}`;
  return `in ${place}, on ${isWhole ? 'all' : formatPercent(peakAreaShare, areaShareMax)} of ${areaNames[area].words}`;
}

function centralView(whose: string, size: string): string {
  return `, which is ${whose} window of ${size} pixels on a screen of 1920 × 1080`;
}

/** The flashes over the largest share of an area, at different times, in their order. */
function flashStillsOf(runs: readonly FlashRun[], isByField: boolean): FlashStill[] {
  const chosen: FlashRun[] = [];
  for (const run of runs.toSorted((a, b) => b.peakAreaShare - a.peakAreaShare)) {
    const isApart = chosen.every((other) => Math.abs(other.peakSeconds - run.peakSeconds) > stillSecondsApart);
    if (isApart && chosen.length < stillsPerIssueMax) chosen.push(run);
  }
  return chosen
    .toSorted((a, b) => a.peakSeconds - b.peakSeconds)
    .map(({ kind, peakStartSeconds: startSeconds, peakSeconds: endSeconds, boxes }) => {
      return { kind, startSeconds, endSeconds, boxes, isByField };
    });
}

/** Two transitions are one flash. Seven are shown as `3½`, so that users see more than three flashes. */
function formatFlashCount(transitions: number): string {
  return `${Math.floor(transitions / 2)}${transitions % 2 ? '½' : ''}`;
}

function extendedFinding(
  { startSeconds, endSeconds }: Range,
  isByField: boolean,
  formatTime: FormatTime,
): Finding<RuleCode> {
  const seconds = endSeconds - startSeconds;
  const middle = (startSeconds + endSeconds) / 2;
  return {
    ruleCode: 'PSE-EXTENDED',
    subject: 'flashes for long',
    summary: `From ${formatTime(startSeconds)} to ${formatTime(endSeconds)}, 25.0 % of the frame flashes at least twice in every second. Shorten the sequence or reduce the rate of the flashes.`,
    severityReasoning: `${extendedMinimum} transitions or more in every second for ${formatSeconds(seconds, 5)}, limit 5 s`,
    confidence: 0.7,
    isCertain: false,
    measured: Math.round(seconds * 10) / 10,
    limit: 5,
    unit: 's',
    locations: [{ kind: 'timeRange', startMs: toMilliseconds(startSeconds), endMs: toMilliseconds(endSeconds) }],
    flashStills: [{ kind: 'luminance', startSeconds: middle - 1, endSeconds: middle, boxes: [], isByField }],
  };
}
