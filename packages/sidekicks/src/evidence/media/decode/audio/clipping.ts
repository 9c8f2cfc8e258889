import { createRanges, type Range } from '../signal/series.ts';

export type Clipping = {
  /** Runs of samples at full scale, over all channels. */
  runCount: number;
  longestRunSamples: number;
  /** Runs less than 0.1 s apart are merged. */
  ranges: Range[];
};

/** The largest 16-bit sample, less half a step. Only floating-point samples exceed it; they clip on playback. */
const fullScale = 32_766.5 / 32_768;
/** Meters report an over at this many consecutive samples at full scale; fewer can be the peak of an intact wave. */
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
