import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@assay/testing/run/random.ts';

/**
 * Limits for the submissions of one kind. At most `unsettledMax` are unsettled at a time, so the load adapts to the
 * host, and the amount of work left after the last fault is the same on every host.
 */
export type LoadLimits = { perSecond: number; unsettledMax: number };

/** Keeps track of the active callers. */
export function openCallerPool() {
  const active = new Set<Promise<void>>();
  return {
    start(session: () => Promise<void>): void {
      const one: Promise<void> = session().finally(() => active.delete(one));
      active.add(one);
    },
    size: () => active.size,
    /** Resolves once all callers have ended. */
    async ended(): Promise<void> {
      while (active.size > 0) await Promise.all(active);
    },
  };
}

/** `next` starts a caller, or waits until it may, and returns the milliseconds until the next one is due. */
export async function arrive(next: () => number | Promise<number>, until: AbortSignal): Promise<void> {
  for (let dueMillis = performance.now(); !until.aborted; ) {
    dueMillis += await next();
    const waitMillis = dueMillis - performance.now();
    // Late arrivals are not made up for, because a stall of this process must not become a burst of callers.
    if (waitMillis > 0) await sleep(waitMillis, undefined, { signal: until }).catch(() => {});
    else dueMillis = performance.now();
  }
}

/** The gap to the next arrival of a Poisson process. */
export function poissonGapMillis(perSecond: number, random: Random): number {
  return (-Math.log(1 - random.fraction()) / perSecond) * 1000;
}
