import type { FlashBox } from '#sidekick/flash-still.ts';
import type { Range } from '../signal/series.ts';

/** Changing stripes oscillate, flash, reverse their contrast or change direction; stationary stripes do not move. */
export type PatternMotion = 'changing' | 'stationary';

/** A period in which stripes cover more of the screen than ITU-R BT.1702 allows. */
export type PatternRun = Range & {
  motion: PatternMotion;
  /** The largest share of the screen that stripes of this motion covered. */
  peakAreaShare: number;
  peakSeconds: number;
  /** The most consecutive light-dark pairs along a straight line. */
  pairs: number;
  /** Mean luminance of the light and of the dark stripes at the peak, cd/m². */
  lightLuminance: number;
  darkLuminance: number;
  /** Bounding box of all stripes at the peak. */
  box: FlashBox;
};

export type Patterns = { runs: PatternRun[] };

/** The share of the screen above which stripes are reported. */
export const areaShareMax: Readonly<Record<PatternMotion, number>> = { changing: 0.25, stationary: 0.4 };
/** A pattern has more pairs of light and dark stripes than this. */
export const pairsMax = 5;
/** Shorter patterns are not reported. */
export const patternSecondsMin = 0.5;
/** The least difference between a light and a dark stripe, and the upper limit of the dark stripe, cd/m². */
export const stripeStepMin = 20;
export const darkStripeBelow = 160;
