import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from './random.ts';

/** Active callers; above the limit, an arrival is turned away and counted. */
export type CallerPool = {
  start(session: () => Promise<void>): void;
  size(): number;
  turnedAway(): number;
  /** Resolves once all have ended. */
  ended(): Promise<void>;
};

export function openCallerPool(callersMax: number): CallerPool {
  const underWay = new Set<Promise<void>>();
  let turnedAway = 0;
  return {
    start(session) {
      if (underWay.size >= callersMax) {
        turnedAway++;
        return;
      }
      const one: Promise<void> = session().finally(() => underWay.delete(one));
      underWay.add(one);
    },
    size: () => underWay.size,
    turnedAway: () => turnedAway,
    async ended() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

/** Arrivals in an open system: `next` starts a caller and returns the milliseconds until the next one is due. */
export async function arrive(next: () => number, until: AbortSignal): Promise<void> {
  for (let dueMillis = performance.now(); !until.aborted; ) {
    dueMillis += next();
    const waitMillis = dueMillis - performance.now();
    // Late arrivals are not caught up: a stall of this process must not become a burst of callers.
    if (waitMillis > 0) await sleep(waitMillis, undefined, { signal: until }).catch(() => {});
    else dueMillis = performance.now();
  }
}

/** The gap to the next arrival of a Poisson process. */
export function poissonGapMillis(perSecond: number, random: Random): number {
  return (-Math.log(1 - random.fraction()) / perSecond) * 1000;
}

/** Sessions per second of callers that each wait for the end of one before starting the next, after a warm-up. */
export async function measureRate(
  session: () => Promise<void>,
  { callers, warmUpSeconds, seconds }: { callers: number; warmUpSeconds: number; seconds: number },
): Promise<number> {
  const begin = performance.now() + warmUpSeconds * 1000;
  const end = begin + seconds * 1000;
  let count = 0;
  const caller = async () => {
    while (performance.now() < end) {
      await session();
      const now = performance.now();
      if (now >= begin && now < end) count++;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return Math.round((count / seconds) * 100) / 100;
}
