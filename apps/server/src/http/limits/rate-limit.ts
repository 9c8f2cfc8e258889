import { type Bucket, rateLimitWindowSeconds } from '@assay/contract/limits.ts';
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { Clock } from '#platform/clock.ts';
import type { Handles } from '#platform/handles.ts';
import { waitAfter } from '#platform/mechanisms/wait-after.ts';
import { limiterFallbacks } from './metrics.ts';

export type RateLimiter = { consume(name: string): Promise<void> };

/** §8.2: too many requests; the response says how many whole seconds to wait. */
export class RateLimited extends Error {
  readonly retryAfterSeconds: number;

  constructor(millis: number) {
    super('rate limited');
    this.retryAfterSeconds = Math.max(1, Math.ceil(millis / 1000));
  }
}

/** When counts in Redis may be incomplete: for one rate-limit window after each lost connection or failed call. */
export type DegradedWindow = { start(): void; isOpen(): boolean };

export function createDegradedWindow(redis: Redis, clock: Clock): DegradedWindow {
  let until = 0;
  const degraded: DegradedWindow = {
    start: () => {
      until = clock.now().getTime() + rateLimitWindowSeconds * 1000;
    },
    isOpen: () => clock.now().getTime() < until,
  };
  redis.on('close', degraded.start);
  return degraded;
}

/**
 * One window of 60 s per name, counted in Redis and so shared by all processes. Each process also counts for itself:
 * its own count applies while Redis is unavailable, and together with that of Redis during the degraded window.
 * So a restart of Redis never lifts the limits.
 */
export function createLimiter(
  { redis, metrics }: Pick<Handles, 'redis' | 'metrics'>,
  purpose: Bucket | 'failed_authentication',
  points: number,
  degraded: DegradedWindow,
): RateLimiter {
  const settings = { points, duration: rateLimitWindowSeconds, keyPrefix: `limit:${purpose}` };
  const shared = new RateLimiterRedis({
    ...settings,
    storeClient: redis,
    rejectIfRedisNotReady: true,
    // Names over the limit are refused without another call to Redis.
    inMemoryBlockOnConsumed: points,
  });
  const own = new RateLimiterMemory(settings);
  const fallbacks = limiterFallbacks(metrics);

  return {
    async consume(name) {
      const ownWait = await waitAfter(own, name);
      let wait: number;
      try {
        wait = await waitAfter(shared, name);
        if (degraded.isOpen()) wait = Math.max(ownWait, wait);
      } catch {
        // The Redis handle logs the reason; here it only matters which count applies.
        fallbacks.inc();
        degraded.start();
        wait = ownWait;
      }
      if (wait > 0) throw new RateLimited(wait);
    },
  };
}
