import { createRanges, type Range } from '../signal/series.ts';

/** How left and right are related, in steps of 0.1 s in which at least one of them is audible. */
export type Stereo = {
  audibleSeconds: number;
  /** Left equals right. */
  identicalSeconds: number;
  /** Ranges in which left has the opposite polarity of right. */
  inverted: Range[];
  invertedSeconds: number;
};

/** −60 dBFS RMS. */
const audiblePower = 1e-6;
/** A difference 50 dB below the signal, which a lossy codec may cause between identical channels. */
const identicalPower = 1e-5;
export const invertedCorrelationMax = -0.9;
const gapSeconds = 0.5;
const secondsMin = 0.5;

export function createStereoWatch(stepSeconds: number) {
  const inverted = createRanges({ secondsMin, gapSeconds });
  let [left, right, both, difference] = [0, 0, 0, 0];
  let [audibleSteps, identicalSteps, invertedSteps] = [0, 0, 0];

  return {
    take(l: number, r: number): void {
      left += l * l;
      right += r * r;
      both += l * r;
      difference += (l - r) * (l - r);
    },

    closeStep(startSeconds: number, endSeconds: number, frames: number): void {
      if (Math.max(left, right) > audiblePower * frames) {
        audibleSteps++;
        if (difference <= identicalPower * (left + right)) identicalSteps++;
        const isBoth = Math.min(left, right) > audiblePower * frames;
        if (isBoth && both / Math.sqrt(left * right) < invertedCorrelationMax) {
          invertedSteps++;
          inverted.add(startSeconds, endSeconds);
        }
      }
      [left, right, both, difference] = [0, 0, 0, 0];
    },

    end(): Stereo {
      return {
        audibleSeconds: audibleSteps * stepSeconds,
        identicalSeconds: identicalSteps * stepSeconds,
        inverted: inverted.end().ranges,
        invertedSeconds: invertedSteps * stepSeconds,
      };
    },
  };
}
