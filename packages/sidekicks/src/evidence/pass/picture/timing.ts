/** When the pictures of a film are shown. */
export type Timing = {
  count: number;
  firstSeconds: number;
  lastSeconds: number;
  /** When the last picture goes. */
  endSeconds: number;
  /** How long pictures stay; `null` where there are fewer than two. */
  shortestSeconds: number | null;
  longestSeconds: number | null;
  usualSeconds: number | null;
  /** How many stay clearly longer or shorter than usual. */
  irregularCount: number;
};

const binsMax = 2001;
/** Containers that count in milliseconds give 33 or 34 for the same rate, and the printed times may be off by one more. */
const jitterMs = 2;
const frameRateAssumed = 25;

export function createTiming(frameRate: number | null) {
  /** How many pictures stay so many milliseconds; the last is for all that stay longer. */
  const stays = new Uint32Array(binsMax);
  let count = 0;
  let first = 0;
  let last = 0;
  let shortest = Number.POSITIVE_INFINITY;
  let longest = 0;

  return {
    take(seconds: number): void {
      if (count === 0) first = seconds;
      else {
        const stay = seconds - last;
        shortest = Math.min(shortest, stay);
        longest = Math.max(longest, stay);
        const bin = Math.max(0, Math.min(binsMax - 1, Math.round(stay * 1000)));
        stays[bin] = (stays[bin] as number) + 1;
      }
      last = seconds;
      count++;
    },

    end(): Timing {
      const usual = usualOf(stays);
      const near = (ms: number) => stays.subarray(Math.max(0, ms - jitterMs), ms + jitterMs + 1);
      const regular = usual === null ? 0 : near(Math.round(usual)).reduce((sum, n) => sum + n, 0);
      const lastStay = usual === null ? 1 / (frameRate ?? frameRateAssumed) : usual / 1000;
      return {
        count,
        firstSeconds: first,
        lastSeconds: last,
        endSeconds: count > 0 ? last + lastStay : 0,
        shortestSeconds: usual === null ? null : shortest,
        longestSeconds: usual === null ? null : longest,
        usualSeconds: usual === null ? null : usual / 1000,
        irregularCount: usual === null ? 0 : count - 1 - regular,
      };
    },
  };
}

/** The most frequent stay in milliseconds: the mean over a peak and the bins beside it, so that 33 and 34 give 33.4. */
function usualOf(stays: Uint32Array): number | null {
  const peak = stays.indexOf(stays.reduce((most, n) => Math.max(most, n), 0));
  if ((stays[peak] as number) === 0) return null;
  let [weight, sum] = [0, 0];
  for (let ms = Math.max(0, peak - 1); ms <= Math.min(binsMax - 1, peak + 1); ms++) {
    weight += stays[ms] as number;
    sum += ms * (stays[ms] as number);
  }
  return sum / weight;
}
