import { type RateLimiterMemory, type RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

/** Counts one request and returns how many milliseconds to wait: 0 when it is within the limit. */
export async function waitAfter(limiter: RateLimiterRedis | RateLimiterMemory, name: string): Promise<number> {
  try {
    await limiter.consume(name);
    return 0;
  } catch (rejection) {
    if (rejection instanceof RateLimiterRes) return Math.max(1, rejection.msBeforeNext);
    throw rejection;
  }
}
