import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Clock } from '#platform/clock.ts';
import { waitAfter } from '#platform/mechanisms/wait-after.ts';
import { RateLimited } from './rate-limit.ts';

export type LookupLimit = {
  /** Limits the key look-ups for this address, for this many seconds. */
  limit(address: string, seconds: number): void;
  /** Refuses a look-up beyond the limit of the address. */
  admit(address: string): Promise<void>;
};

const lookupsPerSecondMax = 5;
const addressesMax = 10_000;

/**
 * Invalid keys from one address must not cause an unlimited number of database queries. A few keys are still looked up:
 * a valid one may come from the same address.
 */
export function createLookupLimit(clock: Clock): LookupLimit {
  const limitedUntil = new Map<string, number>();
  const lookups = new RateLimiterMemory({ points: lookupsPerSecondMax, duration: 1 });
  return {
    limit(address, seconds) {
      if (limitedUntil.size >= addressesMax) limitedUntil.clear();
      limitedUntil.set(address, clock.now().getTime() + seconds * 1000);
    },
    async admit(address) {
      const millisLeft = (limitedUntil.get(address) ?? 0) - clock.now().getTime();
      if (millisLeft <= 0) return;
      if ((await waitAfter(lookups, address)) > 0) throw new RateLimited(millisLeft);
    },
  };
}
