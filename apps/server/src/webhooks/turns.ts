import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { deliveriesInFlightMax, failuresBeforeDisabledMin } from '@assay/contract/limits.ts';
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { Handles } from '../handles/handles.ts';
import { waitAfter } from '../handles/wait-after.ts';
import { createPlaces } from './places.ts';

type Subscription = {
  subscriptionId: string;
  maxRequestsPerSecond: number | null;
  consecutiveFailureCount: number;
};

/** Gives the turn back. */
type Turn = () => void;

/** One turn at a receiver at a time for each of so many; undefined when none is free soon. */
export type Turns = { take(subscription: Subscription, leaseMillis: number): Promise<Turn | undefined> };

const waitMillisMax = 4000;
const lookEveryMillis = 50;

/**
 * At most so many requests at once and a second to one subscription, over all workers. Redis counts; while it is away
 * each worker counts for itself. One that waits longer gives its place in the worker back: else receivers that hang
 * would hold all places, and those of the others' deliveries too.
 */
export function createTurns({ redis }: Pick<Handles, 'redis'>): Turns {
  const places = createPlaces();
  const rateWait = createRates(redis);

  return {
    async take(subscription, leaseMillis) {
      const { subscriptionId } = subscription;
      // A receiver that fails again and again, perhaps by hanging, gets one try at a time until one succeeds.
      const isFailing = subscription.consecutiveFailureCount >= failuresBeforeDisabledMin;
      const placesMax = isFailing ? 1 : deliveriesInFlightMax;
      const deadline = Date.now() + (isFailing ? 0 : waitMillisMax);
      const leave = await places.take(subscriptionId, placesMax, deadline);
      if (!leave) return undefined;
      let giveSharedBack: Turn | undefined;
      const giveBack = () => {
        giveSharedBack?.();
        leave();
      };
      try {
        for (;;) {
          giveSharedBack ??= await takeShared(redis, subscriptionId, placesMax, leaseMillis);
          const waitMillis = giveSharedBack ? await rateWait(subscription) : lookEveryMillis;
          if (waitMillis === 0) return giveBack;
          if (Date.now() + waitMillis > deadline) break;
          await sleep(waitMillis);
        }
      } catch (error) {
        giveBack();
        throw error;
      }
      giveBack();
      return undefined;
    },
  };
}

// After the lease the place may be another's: only its holder gives it back.
const deleteOwn = "if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end";

/** A place among those that all workers share, held by its name until it is given back or forgotten. */
async function takeShared(redis: Redis, subscriptionId: string, placesMax: number, leaseMillis: number) {
  const holder = randomUUID();
  for (let place = 0; place < placesMax; place++) {
    const name = `webhook:turn:${subscriptionId}:${place}`;
    const isTaken = await redis.set(name, holder, 'PX', leaseMillis, 'NX').catch(() => 'without Redis');
    if (isTaken === 'without Redis') return () => {};
    if (isTaken) return () => void redis.eval(deleteOwn, 1, name, holder).catch(() => {});
  }
  return undefined;
}

/** The milliseconds until there may be room in this second: 0 when the request may go now. */
function createRates(redis: Redis) {
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
  return async ({ subscriptionId, maxRequestsPerSecond }: Subscription): Promise<number> =>
    maxRequestsPerSecond === null ? 0 : waitAfter(limiterOf(maxRequestsPerSecond), subscriptionId);
}
