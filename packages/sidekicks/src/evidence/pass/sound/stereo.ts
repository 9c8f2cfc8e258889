import { createRanges, type Range } from '../series.ts';

/** How left and right go together, by tenths of a second in which at least one sounds. */
export type Stereo = {
  soundingSeconds: number;
  /** Left equals right. */
  identicalSeconds: number;
  /** Left is right turned upside down. */
  inverted: Range[];
  invertedSeconds: number;
};

/** −60 dBFS, as root mean square. */
const soundingPower = 1e-6;
/** Their difference is 50 dB below them: a lossy codec leaves as much. */
const identicalPower = 1e-5;
export const invertedCorrelationMax = -0.9;
const gapSeconds = 0.5;
const secondsMin = 0.5;

export function createStereoWatch(stepSeconds: number) {
  const inverted = createRanges({ secondsMin, gapSeconds });
  let [left, right, both, difference] = [0, 0, 0, 0];
  let [soundingSteps, identicalSteps, invertedSteps] = [0, 0, 0];

  return {
    take(l: number, r: number): void {
      left += l * l;
      right += r * r;
      both += l * r;
      difference += (l - r) * (l - r);
    },

    closeStep(startSeconds: number, endSeconds: number, frames: number): void {
      if (Math.max(left, right) > soundingPower * frames) {
        soundingSteps++;
        if (difference <= identicalPower * (left + right)) identicalSteps++;
        const isBoth = Math.min(left, right) > soundingPower * frames;
        if (isBoth && both / Math.sqrt(left * right) < invertedCorrelationMax) {
          invertedSteps++;
          inverted.add(startSeconds, endSeconds);
        }
      }
      [left, right, both, difference] = [0, 0, 0, 0];
    },

    end(): Stereo {
      return {
        soundingSeconds: soundingSteps * stepSeconds,
        identicalSeconds: identicalSteps * stepSeconds,
        inverted: inverted.end().ranges,
        invertedSeconds: invertedSteps * stepSeconds,
      };
    },
  };
}
