import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { deliveriesInFlightMax, failuresBeforeDisabledMin } from '@assay/contract/limits.ts';
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { Handles } from '#platform/handles.ts';
import { createSemaphore, type Release } from '#platform/mechanisms/semaphore.ts';
import { waitAfter } from '#platform/mechanisms/wait-after.ts';

type LimitedSubscription = {
  workspaceId: string;
  subscriptionId: string;
  maxRequestsPerSecond: number | null;
  consecutiveFailureCount: number;
};

/** Grants a permit to send one request to a receiver; undefined if none becomes free soon. */
export type DeliveryPermits = {
  acquire(subscription: LimitedSubscription, leaseMillis: number): Promise<Release | undefined>;
};

const waitMillisMax = 4000;
/** The share of a worker's deliveries that one workspace may occupy, whatever the number of its subscriptions. */
const workspaceShareMax = 1 / 4;
const pollMillis = 50;

/**
 * Limits the requests to one subscription, concurrent and per second, across all workers. Redis counts them; while it
 * is down, each worker counts its own requests. A delivery waits only a few seconds: otherwise receivers that hang
 * would occupy the whole worker, and the deliveries of other subscriptions would wait for them. A workspace can have many
 * such receivers, so it gets a share of the worker (`atOnceMax` deliveries), and does not wait for more.
 */
export function createDeliveryPermits({ redis }: Pick<Handles, 'redis'>, atOnceMax: number): DeliveryPermits {
  const workspaceMax = Math.max(deliveriesInFlightMax, Math.floor(atOnceMax * workspaceShareMax));
  const workspacePermits = createSemaphore();
  const ownPermits = createSemaphore();
  const rateWait = createRateLimit(redis);

  return {
    async acquire(subscription, leaseMillis) {
      const { workspaceId, subscriptionId } = subscription;
      // A receiver that keeps failing, perhaps by hanging, gets one request at a time until one succeeds.
      const isFailing = subscription.consecutiveFailureCount >= failuresBeforeDisabledMin;
      const permitsMax = isFailing ? 1 : deliveriesInFlightMax;
      const deadline = Date.now() + (isFailing ? 0 : waitMillisMax);
      const atOnce = AbortSignal.abort();
      const signal = isFailing ? atOnce : AbortSignal.timeout(waitMillisMax);
      const held: Release[] = [];
      let releaseShared: Release | undefined;
      const release = () => {
        releaseShared?.();
        for (const releaseOne of held) releaseOne();
      };
      try {
        held.push(await ownPermits.acquire({ key: subscriptionId, perKeyMax: permitsMax, signal }));
        // Taken after the wait: deliveries that wait for a slow subscription must not use up the share of the others.
        held.push(await workspacePermits.acquire({ key: workspaceId, perKeyMax: workspaceMax, signal: atOnce }));
      } catch {
        release(); // the wait for a permit has ended
        return undefined;
      }
      try {
        for (;;) {
          releaseShared ??= await acquireSharedPermit(redis, subscriptionId, permitsMax, leaseMillis);
          const waitMillis = releaseShared ? await rateWait(subscription) : pollMillis;
          if (waitMillis === 0) return release;
          if (Date.now() + waitMillis > deadline) break;
          await sleep(waitMillis);
        }
      } catch (error) {
        release();
        throw error;
      }
      release();
      return undefined;
    },
  };
}

// After its lease has expired, a permit may belong to another worker, so only the current holder may delete it.
const deleteIfHolderScript = "if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end";

/** A permit that all workers share: a Redis key, held until it is released or its lease expires. */
async function acquireSharedPermit(redis: Redis, subscriptionId: string, permitsMax: number, leaseMillis: number) {
  const holder = randomUUID();
  for (let permit = 0; permit < permitsMax; permit++) {
    const name = `webhook:turn:${subscriptionId}:${permit}`;
    const acquired = await redis.set(name, holder, 'PX', leaseMillis, 'NX').catch(() => 'without Redis');
    if (acquired === 'without Redis') return () => {};
    if (acquired) return () => void redis.eval(deleteIfHolderScript, 1, name, holder).catch(() => {});
  }
  return undefined;
}

/** Returns a function that counts a request, or returns how many milliseconds the rate limit makes it wait. */
function createRateLimit(redis: Redis) {
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
  return async ({ subscriptionId, maxRequestsPerSecond }: LimitedSubscription): Promise<number> =>
    maxRequestsPerSecond === null ? 0 : waitAfter(limiterOf(maxRequestsPerSecond), subscriptionId);
}
