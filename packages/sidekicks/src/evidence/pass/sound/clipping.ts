import { createRanges, type Range } from '../series.ts';

export type Clipping = {
  /** Runs of samples at full scale, over all channels. */
  runCount: number;
  longestRunSamples: number;
  /** Those less than a tenth of a second apart are one. */
  ranges: Range[];
};

/** The largest number of 16 bits; beyond it only floating point goes, and clips when it is played. */
const fullScale = 32_766.5 / 32_768;
/** Meters call it an over when this many samples in a row stand at full scale: fewer can be the top of an honest wave. */
export const clippedSamplesMin = 3;
const gapSeconds = 0.1;

export function createClippingWatch(sampleRate: number, channels: number) {
  const ranges = createRanges({ secondsMin: 0, gapSeconds });
  const runs = new Uint32Array(channels);
  let runCount = 0;
  let longest = 0;

  function close(channel: number, frame: number): void {
    const run = runs[channel] as number;
    runs[channel] = 0;
    if (run < clippedSamplesMin) return;
    runCount++;
    longest = Math.max(longest, run);
    ranges.add((frame - run) / sampleRate, frame / sampleRate);
  }

  return {
    take(channel: number, frame: number, amplitude: number): void {
      if (amplitude >= fullScale) runs[channel] = (runs[channel] as number) + 1;
      else if ((runs[channel] as number) > 0) close(channel, frame);
    },

    end(frame: number): Clipping {
      for (let channel = 0; channel < channels; channel++) close(channel, frame);
      return { runCount, longestRunSamples: longest, ranges: ranges.end().ranges };
    },
  };
}
