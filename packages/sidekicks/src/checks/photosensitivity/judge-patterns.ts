import {
  areaShareMax,
  type PatternMotion,
  type PatternRun,
  type Patterns,
  pairsMax,
} from '#evidence/media/decode/patterns/patterns.ts';
import { formatPercent, formatSeconds, toMeasurement, toMilliseconds } from '#sidekick/format-values.ts';
import { uncertainFinding } from '#sidekick/rule-table.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import type { FormatTime } from '#sidekick/timecode.ts';
import { groupRuns, rangeOf } from './group-runs.ts';
import type { RuleCode } from './rules.ts';

const motionTexts: Readonly<Record<PatternMotion, string>> = {
  changing: 'stripes that flash, oscillate, reverse or change direction',
  stationary: 'stationary stripes',
};

/** Reports stripes over more of the screen than ITU-R BT.1702 allows. Reviewers decide if they are discernible. */
export function judgePatterns({ runs }: Patterns, formatTime: FormatTime): Finding<RuleCode>[] {
  return groupRuns(runs).map((group) => patternFinding(group, formatTime));
}

function patternFinding(runs: PatternRun[], formatTime: FormatTime): Finding<RuleCode> {
  const worst = runs.reduce((a, b) => (excessOf(b) > excessOf(a) ? b : a));
  const { startSeconds, endSeconds } = rangeOf(runs);
  const pairs = Math.max(...runs.map((run) => run.pairs));
  const shareMax = areaShareMax[worst.motion];
  const share = formatPercent(worst.peakAreaShare, shareMax);
  const luminances = `${worst.darkLuminance.toFixed(0)} and ${worst.lightLuminance.toFixed(0)} cd/m²`;
  return uncertainFinding('PSE-PATTERN', {
    subject: 'striped pattern',
    summary: `From ${formatTime(startSeconds)} to ${formatTime(endSeconds)}, ${motionTexts[worst.motion]} cover ${share} of the screen. Make the pattern smaller, lower its contrast, or show it for less than 0.5 s.`,
    severityReasoning: `${pairs} light-dark pairs, limit ${pairsMax}; ${motionTexts[worst.motion]} over ${share} of the screen, limit ${formatPercent(shareMax)}; dark and light stripes at ${luminances}; ${formatSeconds(endSeconds - startSeconds)}`,
    measured: toMeasurement(100 * worst.peakAreaShare),
    limit: 100 * shareMax,
    unit: '%',
    locations: [
      { kind: 'region', startMs: toMilliseconds(startSeconds), endMs: toMilliseconds(endSeconds), box: worst.box },
    ],
    // The box is that of this moment: the stripes may be elsewhere before and after it.
    stillsAtMs: [toMilliseconds(worst.peakSeconds)],
  });
}

function excessOf({ motion, peakAreaShare }: PatternRun): number {
  return peakAreaShare / areaShareMax[motion];
}
