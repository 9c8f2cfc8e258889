import type { Category } from '@assay/contract/limits.ts';

/** Bytes of a file that are examined in a second. Audio and video are decoded in full. */
const bytesPerSecond = { decoded: 3_000_000, read: 50_000_000 };
const startSeconds = 1;
const tickMillis = 500;
/** Until the rate is known, this multiple of the time so far, and the guess again, are assumed to be left. */
const timesLeft = { decoded: 2, read: 1 };
/** The rate is known once this much of a stage is done: the first reports come in bursts. */
const rateShareMin = 0.05;
/** Stills are taken after everything else, and nobody knows how many until then. */
const stills = { share: 0.25, secondsMax: 5 };

const isDecoded = (category: Category) => category === 'video' || category === 'audio';

/** A rough estimate of how long the examination of a file takes, before anything is known but its size. */
export function guessSeconds(category: Category, sizeBytes: number): number {
  return startSeconds + sizeBytes / bytesPerSecond[isDecoded(category) ? 'decoded' : 'read'];
}

type Progress = {
  /** How much of the evidence is gathered, 0 to 1. */
  gathered(share: number): void;
  /** How many of the stills are taken, 0 to 1. */
  tookStills(share: number): void;
  [Symbol.dispose](): void;
};

/**
 * Reports the share of the work that is done, as time spent of time needed, so that it rises evenly on every machine.
 * The time that is left follows from the rate so far. The share never falls and reaches 1 only at the end.
 */
export function trackProgress(
  { category, sizeBytes }: { category: Category; sizeBytes: number },
  report: (share: number) => void,
  clock: () => number = () => performance.now() / 1000,
): Progress {
  const startedAt = clock();
  const guess = guessSeconds(category, sizeBytes);
  const times = timesLeft[isDecoded(category) ? 'decoded' : 'read'];
  let isGathering = true;
  let first: { share: number; at: number } | null = null;
  let latest = 0;
  let reported = 0;

  const take = (share: number) => {
    // A decoder that has crashed starts again from the beginning.
    if (!first || share < latest) first = { share, at: clock() };
    latest = share;
  };
  /** How long the present stage takes from now on, at the rate so far; `null` if the rate is unknown. */
  const secondsLeft = () => {
    const gained = first ? latest - first.share : 0;
    if (first && gained >= rateShareMin) return ((1 - latest) * (clock() - first.at)) / gained;
    return latest >= rateShareMin ? ((1 - latest) * (clock() - startedAt)) / latest : null;
  };
  const tick = () => {
    const spent = clock() - startedAt;
    const left = secondsLeft() ?? times * spent + guess;
    const later = isGathering ? Math.min(stills.secondsMax, stills.share * (spent + left)) : 0;
    const share = spent / (spent + left + later);
    if (!(share > reported)) return;
    reported = share;
    report(share);
  };
  const timer = setInterval(tick, tickMillis);
  timer.unref();
  return {
    gathered(share) {
      take(share);
      tick();
    },
    tookStills(share) {
      if (isGathering) first = null;
      isGathering = false;
      take(share);
      tick();
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
