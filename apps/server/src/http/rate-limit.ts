import { type Bucket, rateLimitWindowSeconds } from '@assay/contract/limits.ts';
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { Clock } from '../handles/clock.ts';
import type { Handles } from '../handles/handles.ts';
import { waitAfter } from '../handles/wait-after.ts';

export type Limiter = { consume(name: string): Promise<void> };

/** §8.2: too many requests; the answer says in how many whole seconds there is room again. */
export class RateLimited extends Error {
  readonly retryAfterSeconds: number;

  constructor(millis: number) {
    super('rate limited');
    this.retryAfterSeconds = Math.max(1, Math.ceil(millis / 1000));
  }
}

/** Whether Redis may have missed or forgotten something: for one window from each loss and each call that failed. */
export type Doubt = { raise(): void; isRaised(): boolean };

export function createDoubt(redis: Redis, clock: Clock): Doubt {
  let until = 0;
  const doubt: Doubt = {
    raise: () => {
      until = clock.now().getTime() + rateLimitWindowSeconds * 1000;
    },
    isRaised: () => clock.now().getTime() < until,
  };
  redis.on('close', doubt.raise);
  return doubt;
}

/**
 * One window of 60 s per name, counted in Redis and so shared by all processes. Each process counts along:
 * its own count decides while Redis is away, and beside Redis while that is in doubt.
 * So a restart of Redis never opens the door.
 */
export function createLimiter(
  { redis, metrics }: Pick<Handles, 'redis' | 'metrics'>,
  purpose: Bucket | 'failed_authentication',
  points: number,
  doubt: Doubt,
): Limiter {
  const settings = { points, duration: rateLimitWindowSeconds, keyPrefix: `limit:${purpose}` };
  const shared = new RateLimiterRedis({
    ...settings,
    storeClient: redis,
    rejectIfRedisNotReady: true,
    // Whoever is over the limit is refused without asking Redis again.
    inMemoryBlockOnConsumed: points,
  });
  const own = new RateLimiterMemory(settings);

  return {
    async consume(name) {
      const ownWait = await waitAfter(own, name);
      let wait: number;
      try {
        wait = await waitAfter(shared, name);
        if (doubt.isRaised()) wait = Math.max(ownWait, wait);
      } catch {
        // The log of the handle says why; here it only matters who counts.
        metrics.limiterFallbacks.inc();
        doubt.raise();
        wait = ownWait;
      }
      if (wait > 0) throw new RateLimited(wait);
    },
  };
}
