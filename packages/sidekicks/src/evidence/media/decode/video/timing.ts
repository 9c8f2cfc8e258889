/** When the frames of a video are shown. */
export type FrameTiming = {
  count: number;
  firstSeconds: number;
  lastSeconds: number;
  /** End of the last frame. */
  endSeconds: number;
  /** Durations of frames; `null` if there are fewer than two frames. */
  shortestSeconds: number | null;
  longestSeconds: number | null;
  usualSeconds: number | null;
  /** The number of frames that last clearly longer or shorter than usual. */
  irregularCount: number;
};

const binsMax = 2001;
/**
 * At a constant rate, containers that count in milliseconds have frames of 33 and 34 ms; printed times may be off by
 * another 1 ms.
 */
const jitterMs = 2;
const frameRateAssumed = 25;

export function createTiming(frameRate: number | null) {
  /** The number of frames by duration in milliseconds; the last bin is for all longer ones. */
  const durationCounts = new Uint32Array(binsMax);
  let count = 0;
  let first = 0;
  let last = 0;
  let shortest = Number.POSITIVE_INFINITY;
  let longest = 0;

  return {
    take(seconds: number): void {
      if (count === 0) first = seconds;
      else {
        const duration = seconds - last;
        shortest = Math.min(shortest, duration);
        longest = Math.max(longest, duration);
        const bin = Math.max(0, Math.min(binsMax - 1, Math.round(duration * 1000)));
        durationCounts[bin] = (durationCounts[bin] as number) + 1;
      }
      last = seconds;
      count++;
    },

    end(): FrameTiming {
      const usual = usualDurationOf(durationCounts);
      const near = (ms: number) => durationCounts.subarray(Math.max(0, ms - jitterMs), ms + jitterMs + 1);
      const regular = usual === null ? 0 : near(Math.round(usual)).reduce((sum, n) => sum + n, 0);
      const lastDuration = usual === null ? 1 / (frameRate ?? frameRateAssumed) : usual / 1000;
      return {
        count,
        firstSeconds: first,
        lastSeconds: last,
        endSeconds: count > 0 ? last + lastDuration : 0,
        shortestSeconds: usual === null ? null : shortest,
        longestSeconds: usual === null ? null : longest,
        usualSeconds: usual === null ? null : usual / 1000,
        irregularCount: usual === null ? 0 : count - 1 - regular,
      };
    },
  };
}

/** The most frequent duration in milliseconds: the mean over the peak and its adjacent bins, so 33 and 34 give 33.4. */
function usualDurationOf(durationCounts: Uint32Array): number | null {
  const peak = durationCounts.indexOf(durationCounts.reduce((most, n) => Math.max(most, n), 0));
  if ((durationCounts[peak] as number) === 0) return null;
  let [weight, sum] = [0, 0];
  for (let ms = Math.max(0, peak - 1); ms <= Math.min(binsMax - 1, peak + 1); ms++) {
    weight += durationCounts[ms] as number;
    sum += ms * (durationCounts[ms] as number);
  }
  return sum / weight;
}
