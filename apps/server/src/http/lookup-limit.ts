import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Clock } from '../handles/clock.ts';
import { waitAfter } from '../handles/wait-after.ts';
import { RateLimited } from './rate-limit.ts';

export type LookupLimit = {
  /** From now on, and for so many seconds, keys that come from there are looked up only now and then. */
  limit(address: string, seconds: number): void;
  /** Refuses a look-up beyond what the address has left. */
  admit(address: string): Promise<void>;
};

const lookupsPerSecondMax = 5;
const addressesMax = 10_000;

/**
 * An address that has sent too many wrong keys cannot have the database asked for ever more of them. A few are still
 * looked up: a good key may come from behind the same address.
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
