import { type Bucket, rateLimitWindowSeconds } from '@assay/contract/limits.ts';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Handles } from '../handles/handles.ts';

export type Limiter = { consume(name: string): Promise<void> };

/** §8.2: too many requests; the answer says in how many whole seconds there is room again. */
export class RateLimited extends Error {
  readonly retryAfterSeconds: number;

  constructor(millis: number) {
    super('rate limited');
    this.retryAfterSeconds = Math.max(1, Math.ceil(millis / 1000));
  }
}

/**
 * One window of 60 s per name, counted in Redis and so shared by all processes. Each process counts along:
 * its own count decides while Redis is away, and beside Redis for one window after it came back,
 * as Redis may then have forgotten. So a restart of Redis never opens the door.
 */
export function createLimiter(
  { redis, metrics, clock }: Pick<Handles, 'redis' | 'metrics' | 'clock'>,
  purpose: Bucket | 'failed_authentication',
  points: number,
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
  let distrustsSharedUntil = 0;

  return {
    async consume(name) {
      const ownWait = await waitAfter(own, name);
      let sharedWait = 0;
      try {
        sharedWait = await waitAfter(shared, name);
      } catch {
        // The log of the handle says why; here it only matters who counts.
        metrics.limiterFallbacks.inc();
        distrustsSharedUntil = clock.now().getTime() + rateLimitWindowSeconds * 1000;
      }
      const isDistrusted = distrustsSharedUntil > 0 && clock.now().getTime() < distrustsSharedUntil;
      const wait = isDistrusted ? Math.max(ownWait, sharedWait) : sharedWait;
      if (wait > 0) throw new RateLimited(wait);
    },
  };
}

/** Counts one, and says how many milliseconds to wait: 0 when there was room. */
async function waitAfter(limiter: RateLimiterRedis | RateLimiterMemory, name: string): Promise<number> {
  try {
    await limiter.consume(name);
    return 0;
  } catch (rejection) {
    if (rejection instanceof RateLimiterRes) return Math.max(1, rejection.msBeforeNext);
    throw rejection;
  }
}
