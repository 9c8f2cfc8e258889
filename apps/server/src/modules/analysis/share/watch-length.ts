import type { ReportShare } from '@assay/sidekicks/run/progress.ts';
import type { Release } from '#platform/mechanisms/semaphore.ts';

/** Watches how long an examination takes. One that turns out to be long leaves its slot, or gives way. */
export type LengthWatch = {
  /** Aborted with `GaveWay` when the examination must be tried again later. */
  gaveWay: AbortSignal;
  /** Aborted when the examination has left its slot. */
  leftSlot: AbortSignal;
  /** Reports the share of the work that is done, from 0 to 1, and whether it is measured or guessed. */
  report: ReportShare;
  [Symbol.dispose](): void;
};

/** The examination takes long, and others that take long come first. */
export class GaveWay extends Error {
  override readonly name = 'GaveWay';
}

type Report = { share: number; at: number };

/** As multiples of the time from which an examination is long. */
const factors = {
  /** From this time on, the progress so far is taken as it is; before, only if it is slower in proportion. */
  sure: 1 / 4,
  /** From this time on, an examination whose progress is unknown is long. */
  unknown: 1 / 2,
  /** After this time an examination gives way however little seems to be left: a file can pretend to be nearly done. */
  last: 3,
} as const;
const ticksPerLongTime = 40;
/** The first reports come in bursts, so that the rate is known only after a while. */
const rateSecondsMin = 1;

/**
 * @param longSeconds an examination is long if it takes longer than this
 * @param leaveSlot undefined if there is no room for another long examination now
 * @param hasLeft it is known to be long, and has already left its slot
 */
export function watchLength(
  longSeconds: number,
  leaveSlot: () => Release | undefined,
  hasLeft: Release | undefined,
  clock: () => number = () => performance.now() / 1000,
  tickMillis = (longSeconds * 1000) / ticksPerLongTime,
): LengthWatch {
  const startedAt = clock();
  const gaveWay = new AbortController();
  const leftSlot = new AbortController();
  let first: Report | undefined;
  let latest: Report | undefined;
  let release = hasLeft;
  /** At the rate so far; null if it is unknown. */
  const secondsLeft = () => {
    if (!first || !latest || latest.at - first.at < rateSecondsMin) return null;
    return ((1 - latest.share) * (latest.at - first.at)) / (latest.share - first.share);
  };
  const tick = () => {
    const { isLong, mustGiveWay } = judgeLength(clock() - startedAt, secondsLeft(), longSeconds);
    if (!isLong) return;
    release = leaveSlot();
    if (release) leftSlot.abort();
    else if (mustGiveWay) gaveWay.abort(new GaveWay('the file takes long, and others that take long come first'));
    if (release || mustGiveWay) clearInterval(timer);
  };
  const timer = setInterval(tick, tickMillis);
  if (hasLeft) {
    clearInterval(timer);
    leftSlot.abort();
  }
  return {
    gaveWay: gaveWay.signal,
    leftSlot: leftSlot.signal,
    report(share, isMeasured) {
      if (!isMeasured) return;
      latest = { share, at: clock() };
      first ??= latest;
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      release?.();
    },
  };
}

/**
 * Whether an examination should leave its slot, and whether it must.
 *
 * @param secondsLeft null if unknown
 */
export function judgeLength(seconds: number, secondsLeft: number | null, longSeconds: number) {
  const certainty = Math.min(1, seconds / (factors.sure * longSeconds));
  const isFarFromEnd =
    secondsLeft === null
      ? seconds > factors.unknown * longSeconds
      : certainty * (seconds + secondsLeft) > longSeconds && secondsLeft > longSeconds / 2;
  return {
    isLong: isFarFromEnd || seconds > longSeconds,
    mustGiveWay: isFarFromEnd || seconds > factors.last * longSeconds,
  };
}
