import type { Category } from '@assay/contract/limits.ts';

/** Bytes of a file that are examined per second. Audio and video are decoded in full. */
const bytesPerSecond = { decoded: 3_000_000, read: 50_000_000 };
const startSeconds = 1;
const tickMillis = 500;
/** A decoder says how far it is. Until then, the progress of a decoded file stays below this share. */
const startShareMax = 0.1;
/** The assumed time for the stills of a video, which are taken last: their number is unknown until then, and often zero. */
const stillsStage = { share: 0.15, secondsMax: 1.5 };

const isDecoded = (category: Category) => category === 'video' || category === 'audio';

/** A rough estimate of how long the examination of a file takes, before anything is known but its size. */
export function guessSeconds(category: Category, sizeBytes: number): number {
  return startSeconds + sizeBytes / bytesPerSecond[isDecoded(category) ? 'decoded' : 'read'];
}

/** Called with a share of the work, and whether it is measured or guessed. */
export type ReportShare = (share: number, isMeasured: boolean) => void;

type Progress = {
  /** Called with the share of the evidence that is gathered, 0 to 1. */
  onGathered(share: number): void;
  /** Called with the share of the stills that are taken, 0 to 1. */
  onStillsTaken(share: number): void;
  [Symbol.dispose](): void;
};

/**
 * Reports the share of the work that is done, so that it stands still when the work does. Only while nothing is known
 * about the work, it is the time spent divided by a guess of the total. The reported share never falls.
 */
export function trackProgress(
  { category, sizeBytes }: { category: Category; sizeBytes: number },
  report: ReportShare,
  clock: () => number = () => performance.now() / 1000,
): Progress {
  const startedAt = clock();
  const guess = guessSeconds(category, sizeBytes);
  let reported = 0;
  /** Where the current stage begins: its share of the work is what is left. */
  let stage = { isGathering: true, startShare: 0, isKnown: false };

  const raise = (share: number, isMeasured: boolean) => {
    if (!(share > reported)) return;
    reported = share;
    report(share, isMeasured);
  };
  const tick = () => {
    const spent = clock() - startedAt;
    if (stage.isKnown) return;
    const share = isDecoded(category) ? (startShareMax * spent) / (spent + guess) : spent / (2 * spent + guess);
    raise(share, false);
  };
  const take = (share: number, endShare: number) => {
    if (!stage.isKnown) stage = { ...stage, isKnown: true, startShare: reported };
    raise(stage.startShare + (endShare - stage.startShare) * share, true);
  };
  const timer = setInterval(tick, tickMillis);
  timer.unref();
  return {
    onGathered(share) {
      if (!stage.isGathering) return;
      if (!(share > 0)) return tick();
      const total = (clock() - startedAt) / share;
      take(share, category === 'video' ? 1 - Math.min(stillsStage.share, stillsStage.secondsMax / total) : 1);
    },
    onStillsTaken(share) {
      if (stage.isGathering) stage = { isGathering: false, startShare: reported, isKnown: true };
      take(share, 1);
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
