import { type Flashes, type FlashKind, type FlashRun, transitionsMin } from '#evidence/media/decode/flashes/flashes.ts';
import type { Range } from '#evidence/media/decode/signal/series.ts';
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
const areaNames: Record<FlashArea, string> = {
  screen: 'the screen',
  '341x256': 'a window of 341 × 256 pixels',
  '416x416': 'a window of 416 × 416 pixels',
};

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
    ...groups.map((runs) => flashFinding(runs, limits, formatTime)),
    ...flashes.extended
      .filter((range) => !failing.some((other) => overlap(range, other)))
      .map((range) => extendedFinding(range, formatTime)),
  ];
}

function overlap(one: Range, other: Range): boolean {
  return one.startSeconds < other.endSeconds && other.startSeconds < one.endSeconds;
}

function flashFinding(runs: FlashRun[], { areaShareMax }: Limits, formatTime: FormatTime): Finding<RuleCode> {
  const worst = runs.reduce((a, b) => (b.peakAreaShare > a.peakAreaShare ? b : a));
  const { ruleCode, subject, word, cause } = flashKinds[worst.kind];
  const { startSeconds, endSeconds } = rangeOf(runs);
  const transitions = Math.max(...runs.map(({ peakTransitions }) => peakTransitions));
  const share = formatPercent(worst.peakAreaShare, areaShareMax);
  return {
    ruleCode,
    subject,
    summary: `From ${formatTime(startSeconds)} to ${formatTime(endSeconds)}, the video ${word} up to ${formatFlashCount(transitions)} times within a second, on ${share} of ${areaNames[worst.area]}. Reduce the rate, the ${cause} or the area of the flashes.`,
    severityReasoning: `${transitions} opposing changes within a second (limit ${transitionsMax}), on ${share} of ${areaNames[worst.area]} (limit ${formatPercent(areaShareMax)})`,
    confidence: 1,
    isCertain: true,
    measured: transitions,
    limit: transitionsMax,
    unit: 'transitions/s',
    locations: [
      { kind: 'region', startMs: toMilliseconds(startSeconds), endMs: toMilliseconds(endSeconds), box: worst.box },
    ],
    stillsAtMs: [
      ...new Set([toMilliseconds(startSeconds), toMilliseconds(worst.peakSeconds), toMilliseconds(endSeconds)]),
    ].toSorted((a, b) => a - b),
  };
}

/** Two transitions are one flash. Seven are shown as `3½`, so that users see more than three flashes. */
function formatFlashCount(transitions: number): string {
  return `${Math.floor(transitions / 2)}${transitions % 2 ? '½' : ''}`;
}

function extendedFinding({ startSeconds, endSeconds }: Range, formatTime: FormatTime): Finding<RuleCode> {
  const seconds = endSeconds - startSeconds;
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
    stillsAtMs: [toMilliseconds((startSeconds + endSeconds) / 2)],
  };
}
