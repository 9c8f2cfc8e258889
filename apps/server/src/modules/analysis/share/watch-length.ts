import type { Release } from '#platform/mechanisms/semaphore.ts';

/** Watches how long an examination takes. One that turns out to be long leaves its slot, or gives way. */
export type LengthWatch = {
  /** Aborted with `GaveWay` when the examination must be tried again later. */
  gaveWay: AbortSignal;
  /** Aborted when the examination has left its slot. */
  leftSlot: AbortSignal;
  /** Reports the share of the work that is done, from 0 to 1. */
  report(share: number): void;
  [Symbol.dispose](): void;
};

/** The examination takes long, and others that take long come first. */
export class GaveWay extends Error {
  override readonly name = 'GaveWay';
}

/** As multiples of the time from which an examination is long. */
const factors = {
  /** Before this time, the time left is unknown. */
  first: 1 / 4,
  /** After this time an examination gives way however little seems to be left: a file can pretend to be nearly done. */
  last: 3,
} as const;
const ticksPerLongTime = 20;

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
): LengthWatch {
  const startedAt = clock();
  const gaveWay = new AbortController();
  const leftSlot = new AbortController();
  let share = 0;
  let release = hasLeft;
  const tick = () => {
    const { isLong, mustGiveWay } = judgeLength(clock() - startedAt, share, longSeconds);
    if (!isLong) return;
    release = leaveSlot();
    if (release) leftSlot.abort();
    else if (mustGiveWay) gaveWay.abort(new GaveWay('the file takes long, and others that take long come first'));
    if (release || mustGiveWay) clearInterval(timer);
  };
  const timer = setInterval(tick, (longSeconds * 1000) / ticksPerLongTime);
  if (hasLeft) {
    clearInterval(timer);
    leftSlot.abort();
  }
  return {
    gaveWay: gaveWay.signal,
    leftSlot: leftSlot.signal,
    report: (value) => {
      share = value;
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      release?.();
    },
  };
}

/** Whether an examination should leave its slot, and whether it must, after so much time and so much work. */
export function judgeLength(seconds: number, share: number, longSeconds: number) {
  if (seconds < factors.first * longSeconds) return { isLong: false, mustGiveWay: false };
  const secondsLeft = share > 0 ? (seconds * (1 - share)) / share : seconds;
  const isFarFromEnd = seconds + secondsLeft > longSeconds && secondsLeft > longSeconds / 2;
  return {
    isLong: isFarFromEnd || seconds > longSeconds,
    mustGiveWay: isFarFromEnd || seconds > factors.last * longSeconds,
  };
}
