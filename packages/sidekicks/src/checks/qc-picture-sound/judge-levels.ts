import type { LevelRange } from '#evidence/media/decode/video/levels.ts';
import type { VideoRecord } from '#evidence/media/decode/video/observe-video.ts';
import { formatCount, formatDecimals, formatPercent, toMeasurement, toMilliseconds } from '#sidekick/format-values.ts';
import type { Profile } from '#sidekick/profile.ts';
import { certainFinding, uncertainFinding } from '#sidekick/rule-table.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import type { FormatTime } from '#sidekick/timecode.ts';
import { locationOf, locationsMax, type RuleCode } from './rules.ts';

const stillsMax = 3;
/** Limited range is 16 to 235. Levels that nearly reach 0 and 255 in more than a few pixels are full range. */
const fullRangeLow = 4;
const fullRangeHigh = 250;
const beyondShareMin = 0.005;
/**
 * Levels that reach about 16 and 235 may be limited range. At sharp edges an encoder overshoots: slightly in some
 * pixels, and by any amount in very few.
 */
const limitedRangeLow = { from: 14, to: 19 };
const limitedRangeHigh = { from: 200, to: 237 };
const limitedRangeShareMin = 0.998;
const overshootBounds = { from: 8, to: 248 };
const overshootShareMin = 0.9998;

type Limits = Profile['limits']['qcPictureSound'];

/** Reports levels outside the limits, and levels that do not match the range flag. */
export function judgeLevels(record: VideoRecord, limits: Limits, formatTime: FormatTime): Finding<RuleCode>[] {
  const range = judgeRange(record);
  // A wrong range flag alone puts levels outside the limits, so those levels are not reported as well.
  return range.some(({ ruleCode }) => ruleCode === 'QC-RANGE')
    ? range
    : [...range, ...judgeExcursions(record, limits, formatTime)];
}

function judgeExcursions({ levels }: VideoRecord, limits: Limits, formatTime: FormatTime): Finding<RuleCode>[] {
  const { levelMin, levelMax, levelShareMax } = limits;
  const outside = levels.outside.filter(
    ({ share, low, high }) =>
      toMeasurement(share * 100) > toMeasurement(levelShareMax * 100) && (low < levelMin || high > levelMax),
  );
  const worst = outside.toSorted((a, b) => b.share - a.share)[0];
  if (!worst) return [];
  const share = formatPercent(worst.share, levelShareMax);
  const limit = formatPercent(levelShareMax);
  const more = outside.length > 1 ? ` and in ${formatCount(outside.length - 1, 'more section')}` : '';
  return [
    certainFinding('QC-LEVELS', {
      subject: 'video levels',
      summary: `Levels are ${directionOf(worst, limits)} in up to ${share} of the frame (limit ${limit}) from ${formatTime(worst.startSeconds)}${more}. Correct the levels in grading or with a legaliser.`,
      severityReasoning: `RGB ${describeExtremes(worst, limits)} (allowed: ${levelMin} to ${levelMax}); ${share} of the frame is outside at ${formatTime(worst.worstSeconds)}, limit ${limit}`,
      measured: toMeasurement(worst.share * 100),
      limit: toMeasurement(levelShareMax * 100),
      unit: '% of the frame',
      locations: outside.slice(0, locationsMax).map(locationOf),
      stillsAtMs: outside.slice(0, stillsMax).map(({ startSeconds }) => toMilliseconds(startSeconds)),
    }),
  ];
}

function judgeRange({ levels, claimed }: VideoRecord): Finding<RuleCode>[] {
  const { lumaCounts } = levels;
  const low = lumaCounts.findIndex((count) => count > 0);
  const high = lumaCounts.findLastIndex((count) => count > 0);
  const all = sumCounts(lumaCounts);
  if (low < 0 || all === 0) return [];
  const below = sumCounts(lumaCounts.slice(0, 16)) / all;
  const above = sumCounts(lumaCounts.slice(236)) / all;
  const severityReasoning = `Luma from ${low} to ${high} (8 bits), ${formatPercent(below)} below 16 and ${formatPercent(above)} above 235; flagged ${claimed.isFullRange ? 'full' : 'limited'} range`;
  const isFull = low <= fullRangeLow && high >= fullRangeHigh && below > beyondShareMin && above > beyondShareMin;
  if (!claimed.isFullRange && isFull) {
    return [
      certainFinding('QC-RANGE', {
        subject: 'range of levels',
        summary: `Levels run from ${low} to ${high}, but the file is not flagged full range. Flag it as full range, or convert the levels to 16 to 235.`,
        severityReasoning,
        measured: toMeasurement((below + above) * 100),
        limit: 2 * beyondShareMin * 100,
        unit: '% of the pixels',
        confidence: 0.9,
      }),
    ];
  }
  if (!claimed.isFullRange) return [];
  const usual = centralLevels(lumaCounts, all, limitedRangeShareMin);
  const nearlyAll = centralLevels(lumaCounts, all, overshootShareMin);
  const isNarrow =
    isWithin(usual.low, limitedRangeLow) &&
    isWithin(usual.high, limitedRangeHigh) &&
    isWithin(nearlyAll.low, overshootBounds) &&
    isWithin(nearlyAll.high, overshootBounds);
  if (!isNarrow) return [];
  return [
    uncertainFinding('QC-RANGE-SUSPECT', {
      subject: 'range of levels',
      summary: `The file is flagged full range, but ${formatPercent(limitedRangeShareMin)} of its pixels have levels between ${usual.low} and ${usual.high}. Compare it with the master: if black looks grey, correct the flag.`,
      severityReasoning,
    }),
  ];
}

function directionOf({ low, high }: LevelRange, { levelMin, levelMax }: Limits): string {
  if (low < levelMin && high > levelMax) return `outside ${levelMin} to ${levelMax}`;
  return low < levelMin ? `below ${levelMin}` : `above ${levelMax}`;
}

function describeExtremes({ low, high }: LevelRange, { levelMin, levelMax }: Limits): string {
  const [least, most] = [formatDecimals(low, 0, levelMin), formatDecimals(high, 0, levelMax)];
  if (low < levelMin && high > levelMax) return `reaches ${least} and ${most}`;
  return `reaches ${low < levelMin ? least : most}`;
}

function isWithin(value: number, { from, to }: { from: number; to: number }): boolean {
  return value >= from && value <= to;
}

/** The lowest and highest level of this central share of all pixels. */
function centralLevels(counts: readonly number[], all: number, share: number): { low: number; high: number } {
  const outside = (all * (1 - share)) / 2;
  return { low: levelAt(counts, outside), high: levelAt(counts, all - outside) };
}

/** The lowest level such that at least this many pixels are at or below it. */
function levelAt(counts: readonly number[], pixels: number): number {
  let passed = 0;
  return counts.findIndex((count) => {
    passed += count;
    return passed >= pixels;
  });
}

function sumCounts(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
