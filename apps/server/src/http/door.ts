import { type Bucket, buckets, failedAuthenticationsPerMinuteMax, type PaidTier } from '@assay/contract/limits.ts';
import { Refusal } from '@assay/contract/refusals.ts';
import type { Authenticate } from '../access/authenticate.ts';
import type { Caller } from '../access/caller.ts';
import type { Handles } from '../handles/handles.ts';
import { createDoubt, createLimiter, type Limiter } from './rate-limit.ts';

export type RateLimits = Record<PaidTier, Record<Bucket, number>>;

/** §7: the plan does not include the service. */
export class PlanRefused extends Error {
  readonly bucket: Bucket;

  constructor(bucket: Bucket) {
    super('plan refused');
    this.bucket = bucket;
  }
}

export type Door = (key: string | undefined, address: string, bucket: Bucket) => Promise<Caller>;

/** Who may come in, in the order of the answers: 401, 402, 429. */
export function createDoor(handles: Handles, authenticate: Authenticate, rateLimits: RateLimits): Door {
  const doubt = createDoubt(handles.redis, handles.clock);
  const failures = createLimiter(handles, 'failed_authentication', failedAuthenticationsPerMinuteMax, doubt);
  const limiters = Object.fromEntries(
    Object.entries(rateLimits).map(([tier, allowance]) => [
      tier,
      Object.fromEntries(buckets.map((bucket) => [bucket, createLimiter(handles, bucket, allowance[bucket], doubt)])),
    ]),
  ) as Record<PaidTier, Record<Bucket, Limiter>>;

  return async (key, address, bucket) => {
    const caller = await authenticate(key).catch(async (error) => {
      const isRefusedKey = error instanceof Refusal && error.code.endsWith('_api_key');
      if (isRefusedKey) await failures.consume(address);
      throw error;
    });
    if (caller.tier === 'free') throw new PlanRefused(bucket);
    const tier = caller.mode === 'sandbox' ? 'starter' : caller.tier;
    await limiters[tier][bucket].consume(caller.keyId);
    return caller;
  };
}
