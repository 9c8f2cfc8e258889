import { setTimeout as sleep } from 'node:timers/promises';
import { deliveriesInFlightMax, failuresBeforeDisabledMin } from '@assay/contract/limits.ts';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Handles } from '../handles/handles.ts';

type Subscription = {
  subscriptionId: string;
  maxRequestsPerSecond: number | null;
  consecutiveFailureCount: number;
};

/** Gives the turn back. */
type Turn = () => void;

/** One turn at a receiver at a time for each of so many; undefined when none is free soon. */
export type Turns = { take(subscription: Subscription, leaseMillis: number): Promise<Turn | undefined> };

const waitMillisMax = 1000;
const lookEveryMillis = 25;

/**
 * At most so many requests at once and a second to one subscription, over all workers. Redis counts; while it is away
 * each worker counts for itself. One that waits longer gives its place in the worker back: else receivers that hang
 * would hold all places, and those of the others' deliveries too.
 */
export function createTurns({ redis }: Pick<Handles, 'redis'>): Turns {
  const inFlight = new Map<string, number>();
  const limiters = new Map<number, RateLimiterRedis>();

  const limiterOf = (points: number) => {
    let limiter = limiters.get(points);
    if (!limiter) {
      const settings = { points, duration: 1, keyPrefix: `webhook:rate:${points}` };
      const insuranceLimiter = new RateLimiterMemory(settings);
      limiter = new RateLimiterRedis({
        ...settings,
        storeClient: redis,
        rejectIfRedisNotReady: true,
        insuranceLimiter,
      });
      limiters.set(points, limiter);
    }
    return limiter;
  };

  /** The milliseconds until there may be room: 0 when this request may go now. */
  const rateWait = async ({ subscriptionId, maxRequestsPerSecond }: Subscription): Promise<number> => {
    if (maxRequestsPerSecond === null) return 0;
    try {
      await limiterOf(maxRequestsPerSecond).consume(subscriptionId);
      return 0;
    } catch (rejection) {
      if (rejection instanceof RateLimiterRes) return Math.max(1, rejection.msBeforeNext);
      throw rejection;
    }
  };

  /** A place among those that all workers share, held by its name until it is given back or forgotten. */
  const takePlace = async ({ subscriptionId }: Subscription, placesMax: number, leaseMillis: number) => {
    for (let place = 0; place < placesMax; place++) {
      const name = `webhook:turn:${subscriptionId}:${place}`;
      const isTaken = await redis.set(name, 1, 'PX', leaseMillis, 'NX').catch(() => 'without Redis');
      if (isTaken === 'without Redis') return () => {};
      if (isTaken) return () => void redis.del(name).catch(() => {});
    }
    return undefined;
  };

  return {
    async take(subscription, leaseMillis) {
      const { subscriptionId } = subscription;
      // A receiver that fails again and again, perhaps by hanging, gets one try at a time until one succeeds.
      const isFailing = subscription.consecutiveFailureCount >= failuresBeforeDisabledMin;
      const placesMax = isFailing ? 1 : deliveriesInFlightMax;
      const deadline = Date.now() + (isFailing ? 0 : waitMillisMax);
      const count = () => inFlight.get(subscriptionId) ?? 0;
      const leave = () => {
        if (count() > 1) inFlight.set(subscriptionId, count() - 1);
        else inFlight.delete(subscriptionId);
      };
      for (;;) {
        let waitMillis = lookEveryMillis;
        if (count() < placesMax) {
          inFlight.set(subscriptionId, count() + 1);
          const givePlaceBack = await takePlace(subscription, placesMax, leaseMillis).catch(leaveAndThrow(leave));
          waitMillis = givePlaceBack ? await rateWait(subscription).catch(leaveAndThrow(leave)) : lookEveryMillis;
          if (givePlaceBack && waitMillis === 0) {
            return () => {
              givePlaceBack();
              leave();
            };
          }
          givePlaceBack?.();
          leave();
        }
        if (Date.now() + waitMillis > deadline) return undefined;
        await sleep(waitMillis);
      }
    },
  };
}

function leaveAndThrow(leave: () => void) {
  return (error: unknown): never => {
    leave();
    throw error;
  };
}
