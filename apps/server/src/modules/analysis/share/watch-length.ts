import type { ReportShare } from '@assay/sidekicks/run/progress.ts';
import type { Release } from '#platform/mechanisms/semaphore.ts';

/** Watches how long an examination takes. One that turns out to be long leaves its slot, or gives way. */
export type LengthWatch = {
  /** Aborted with `GaveWay` when the examination must be tried again later. */
  gaveWay: AbortSignal;
  /** Aborted when the examination has left its slot. */
  leftSlot: AbortSignal;
  /** The file has arrived; from now on, this function returns the CPU time that its examination has used. */
  onStarted(cpuSeconds: () => number): void;
  /** Reports the share of the work that is done, from 0 to 1, and whether it is measured or guessed. */
  report: ReportShare;
  [Symbol.dispose](): void;
};

/** The examination takes long, and others that take long come first. */
export class GaveWay extends Error {
  override readonly name = 'GaveWay';
}

type Report = { share: number; cpuSeconds: number };

/** What is known about an examination: the time since its start, the CPU time, and what is left of that, if known. */
type Spent = { seconds: number; cpuSeconds: number; cpuSecondsLeft: number | null };

/** As multiples of the CPU time from which an examination is long. */
const factors = {
  /** From this time on, the progress so far is taken as it is; before, only if it is slower in proportion. */
  sure: 1 / 4,
  /** From this time on, an examination whose progress is unknown is long. */
  unknown: 1 / 2,
  /** After this time an examination gives way however little seems to be left: a file can pretend to be nearly done. */
  last: 3,
} as const;
const tickMillisMax = 500;
/** The first reports come in bursts, so that the rate is known only after a while. */
const rateSecondsMin = 1;

/**
 * @param longSeconds an examination is long if it takes more CPU time than this
 * @param leaveSlot undefined if there is no room for another long examination now
 * @param hasLeft it is known to be long, and has already left its slot
 */
export function watchLength(longSeconds: number, leaveSlot: () => Release | undefined, hasLeft?: Release): LengthWatch {
  const startedAt = performance.now();
  const gaveWay = new AbortController();
  const leftSlot = new AbortController();
  let cpuSeconds = () => 0;
  let first: Report | undefined;
  let latest: Report | undefined;
  let release = hasLeft;
  /** At the rate so far; null if it is unknown. */
  const cpuSecondsLeft = () => {
    if (!first || !latest || latest.cpuSeconds - first.cpuSeconds < rateSecondsMin) return null;
    return ((1 - latest.share) * (latest.cpuSeconds - first.cpuSeconds)) / (latest.share - first.share);
  };
  const tick = () => {
    const seconds = (performance.now() - startedAt) / 1000;
    const spent = { seconds, cpuSeconds: cpuSeconds(), cpuSecondsLeft: cpuSecondsLeft() };
    const { isLong, mustGiveWay } = judgeLength(spent, longSeconds);
    if (!isLong) return;
    release = leaveSlot();
    if (release) leftSlot.abort();
    else if (mustGiveWay) gaveWay.abort(new GaveWay('the file takes long, and others that take long come first'));
    if (release || mustGiveWay) clearInterval(timer);
  };
  const timer = setInterval(tick, Math.min(tickMillisMax, longSeconds * 100));
  if (hasLeft) {
    clearInterval(timer);
    leftSlot.abort();
  }
  return {
    gaveWay: gaveWay.signal,
    leftSlot: leftSlot.signal,
    onStarted(used) {
      cpuSeconds = used;
    },
    report(share, isMeasured) {
      if (!isMeasured) return;
      latest = { share, cpuSeconds: cpuSeconds() };
      first ??= latest;
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      release?.();
    },
  };
}

/**
 * Whether an examination should leave its slot, and whether it must. CPU time counts, because on a busy machine any file
 * takes long; time alone counts only for one that waits for something, such as its download.
 */
export function judgeLength({ seconds, cpuSeconds, cpuSecondsLeft }: Spent, longSeconds: number) {
  const certainty = Math.min(1, cpuSeconds / (factors.sure * longSeconds));
  const isFarFromEnd =
    cpuSecondsLeft === null
      ? cpuSeconds > factors.unknown * longSeconds
      : certainty * (cpuSeconds + cpuSecondsLeft) > longSeconds && cpuSecondsLeft > longSeconds / 2;
  const most = Math.max(seconds, cpuSeconds);
  return {
    isLong: isFarFromEnd || most > longSeconds,
    mustGiveWay: isFarFromEnd || most > factors.last * longSeconds,
  };
}
