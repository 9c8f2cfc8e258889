import type { Category } from '@assay/contract/limits.ts';

/** Bytes of a file that are examined per second. Audio and video are decoded in full. */
const bytesPerSecond = { decoded: 3_000_000, read: 50_000_000 };
const startSeconds = 1;
const tickMillis = 500;
/** Until the rate is known, the time left is assumed to be the guess plus this multiple of the time so far. */
const timeLeftFactors = { decoded: 2, read: 1 };
/** The rate is known only once this share of a stage is done, because the first reports come in bursts. */
const rateShareMin = 0.05;
/** The assumed time for stills, which are taken last: their number is unknown until then. */
const stillsStage = { share: 0.25, secondsMax: 5 };

const isDecoded = (category: Category) => category === 'video' || category === 'audio';

/** A rough estimate of how long the examination of a file takes, before anything is known but its size. */
export function guessSeconds(category: Category, sizeBytes: number): number {
  return startSeconds + sizeBytes / bytesPerSecond[isDecoded(category) ? 'decoded' : 'read'];
}

type Progress = {
  /** Called with the share of the evidence that is gathered, 0 to 1. */
  onGathered(share: number): void;
  /** Called with the share of the stills that are taken, 0 to 1. */
  onStillsTaken(share: number): void;
  [Symbol.dispose](): void;
};

/**
 * Reports progress as the time spent divided by the total time, so that it rises evenly on every host. The time left is
 * estimated from the rate so far. The reported share never falls and is 1 only at the end.
 */
export function trackProgress(
  { category, sizeBytes }: { category: Category; sizeBytes: number },
  report: (share: number) => void,
  clock: () => number = () => performance.now() / 1000,
): Progress {
  const startedAt = clock();
  const guess = guessSeconds(category, sizeBytes);
  const timeLeftFactor = timeLeftFactors[isDecoded(category) ? 'decoded' : 'read'];
  let isGathering = true;
  let first: { share: number; at: number } | null = null;
  let latest = 0;
  let reported = 0;

  const take = (share: number) => {
    // A decoder that has crashed starts again from the beginning.
    if (!first || share < latest) first = { share, at: clock() };
    latest = share;
  };
  /** The time left in the current stage at the rate so far; `null` if the rate is unknown. */
  const secondsLeft = () => {
    const gained = first ? latest - first.share : 0;
    if (first && gained >= rateShareMin) return ((1 - latest) * (clock() - first.at)) / gained;
    return latest >= rateShareMin ? ((1 - latest) * (clock() - startedAt)) / latest : null;
  };
  const tick = () => {
    const spent = clock() - startedAt;
    const left = secondsLeft() ?? timeLeftFactor * spent + guess;
    const later = isGathering ? Math.min(stillsStage.secondsMax, stillsStage.share * (spent + left)) : 0;
    const share = spent / (spent + left + later);
    if (!(share > reported)) return;
    reported = share;
    report(share);
  };
  const timer = setInterval(tick, tickMillis);
  timer.unref();
  return {
    onGathered(share) {
      take(share);
      tick();
    },
    onStillsTaken(share) {
      if (isGathering) first = null;
      isGathering = false;
      take(share);
      tick();
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
