import type { LevelRange } from '../../evidence/pass/picture/levels.ts';
import type { PictureRecord } from '../../evidence/pass/picture/observe-picture.ts';
import type { Profile } from '../../profile.ts';
import { certain, uncertain } from '../../rule-table.ts';
import type { Finding } from '../../sidekick.ts';
import { clock } from '../../words.ts';
import { ms, placeOf, placesMax, type RuleCode, rounded } from './rules.ts';

const stillsMax = 3;
/** Of a scale from 16 to 235: what goes almost to both ends of 0 to 255, and not just by overshoot, is on the other scale. */
const fullLow = 4;
const fullHigh = 250;
const beyondShareMin = 0.005;
/** And what goes just to 16 and just to 235, and nowhere beyond, may be on the narrow one. */
const narrowLow = { from: 14, to: 19 };
const narrowHigh = { from: 200, to: 237 };

/** Levels outside the limits, and a range that is not the one the file says. */
export function judgeLevels(picture: PictureRecord, limits: Profile['picture']): Finding<RuleCode>[] {
  const range = judgeRange(picture);
  // What is on the wrong scale lies outside everywhere, for that one reason.
  return range.some(({ ruleCode }) => ruleCode === 'QC-RANGE')
    ? range
    : [...range, ...judgeExcursions(picture, limits)];
}

function judgeExcursions({ levels }: PictureRecord, limits: Profile['picture']): Finding<RuleCode>[] {
  const { levelMin, levelMax, levelShareMax } = limits;
  const outside = levels.outside.filter(
    ({ share, low, high }) => share > levelShareMax && (low < levelMin || high > levelMax),
  );
  const worst = outside.toSorted((a, b) => b.share - a.share)[0];
  if (!worst) return [];
  const more = outside.length > 1 ? ` and ${outside.length - 1} more times` : '';
  return [
    certain('QC-LEVELS', {
      subject: 'video levels',
      summary: `Up to ${percent(worst.share)} of the picture is ${directionOf(worst, limits)} what may be broadcast, from ${clock(worst.startSeconds)}${more}. Bring the levels back in grading, or with a legaliser.`,
      severityReasoning: `Luma, R, G or B reach ${extremesOf(worst, limits)} of 8 bits; ${percent(worst.share)} of the picture is outside ${levelMin} to ${levelMax} at ${clock(worst.worstSeconds)}, limit ${percent(levelShareMax)}`,
      measured: rounded(worst.share * 100, 1),
      limit: levelShareMax * 100,
      unit: '% of the picture',
      locations: outside.slice(0, placesMax).map(placeOf),
      stillsAtMs: outside.slice(0, stillsMax).map(({ startSeconds }) => ms(startSeconds)),
    }),
  ];
}

function judgeRange({ levels, claimed }: PictureRecord): Finding<RuleCode>[] {
  const { lumaCounts } = levels;
  const low = lumaCounts.findIndex((count) => count > 0);
  const high = lumaCounts.findLastIndex((count) => count > 0);
  const all = sum(lumaCounts);
  if (low < 0 || all === 0) return [];
  const below = sum(lumaCounts.slice(0, 16)) / all;
  const above = sum(lumaCounts.slice(236)) / all;
  const measured = `Luma from ${low} to ${high} of 8 bits, ${percent(below)} below 16 and ${percent(above)} above 235; flagged ${claimed.isFullRange ? 'full' : 'limited'} range`;
  const isFull = low <= fullLow && high >= fullHigh && below >= beyondShareMin && above >= beyondShareMin;
  if (!claimed.isFullRange && isFull) {
    return [
      certain('QC-RANGE', {
        subject: 'range of levels',
        summary: `The picture uses levels from ${low} to ${high}, but the file does not say that it is full range: what is darkest and brightest is lost. Flag it as full range, or convert it to 16 to 235.`,
        severityReasoning: measured,
        measured: rounded((below + above) * 100, 1),
        unit: '% of the pixels',
        confidence: 0.9,
      }),
    ];
  }
  const isNarrow = isWithin(low, narrowLow) && isWithin(high, narrowHigh);
  if (!claimed.isFullRange || !isNarrow) return [];
  return [
    uncertain('QC-RANGE-SUSPECT', {
      subject: 'range of levels',
      summary: `The file says that it is full range, but its picture keeps between ${low} and ${high}: black may be shown as grey. Compare it with the master.`,
      severityReasoning: measured,
    }),
  ];
}

function directionOf({ low, high }: LevelRange, { levelMin, levelMax }: Profile['picture']): string {
  if (low < levelMin && high > levelMax) return 'darker and brighter, or more colourful, than';
  return low < levelMin ? 'darker or more colourful than' : 'brighter or more colourful than';
}

function extremesOf({ low, high }: LevelRange, { levelMin, levelMax }: Profile['picture']): string {
  return [low < levelMin ? [low] : [], high > levelMax ? [high] : []].flat().map(Math.round).join(' and ');
}

function isWithin(value: number, { from, to }: { from: number; to: number }): boolean {
  return value >= from && value <= to;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
