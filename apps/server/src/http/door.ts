import { type Bucket, buckets, failedAuthenticationsPerMinuteMax, type PaidTier } from '@assay/contract/limits.ts';
import { Refusal, refusals } from '@assay/contract/refusals.ts';
import type { Authenticate } from '../access/authenticate.ts';
import type { Caller } from '../access/caller.ts';
import type { Tickets } from '../access/ticket.ts';
import type { Handles } from '../handles/handles.ts';
import { callerNetwork } from './caller-network.ts';
import { createLookupLimit } from './lookup-limit.ts';
import { createDoubt, createLimiter, type Limiter, RateLimited } from './rate-limit.ts';

export type RateLimits = Record<PaidTier, Record<Bucket, number>>;

/** §7: the plan does not include the service. */
export class PlanRefused extends Error {
  readonly bucket: Bucket;

  constructor(bucket: Bucket) {
    super('plan refused');
    this.bucket = bucket;
  }
}

/** What a request brings: a key, or a ticket for a channel. */
export type Credentials = { key: string | undefined; ticket?: { text: string; channel: string } | undefined };

export type Door = {
  enter(credentials: Credentials, address: string, bucket: Bucket): Promise<Caller>;
  /** Whether a key that came in before is still good; during an outage it is taken to be. */
  isStillGood(keyId: string): Promise<boolean>;
};

/** Who may come in, in the order of the answers: 401, 402, 429. */
export function createDoor(
  handles: Handles,
  authenticate: Authenticate,
  tickets: Tickets,
  rateLimits: RateLimits,
): Door {
  const doubt = createDoubt(handles.redis, handles.clock);
  const failures = createLimiter(handles, 'failed_authentication', failedAuthenticationsPerMinuteMax, doubt);
  const limiters = Object.fromEntries(
    Object.entries(rateLimits).map(([tier, allowance]) => [
      tier,
      Object.fromEntries(buckets.map((bucket) => [bucket, createLimiter(handles, bucket, allowance[bucket], doubt)])),
    ]),
  ) as Record<PaidTier, Record<Bucket, Limiter>>;

  const lookups = createLookupLimit(handles.clock);

  const countFailure = (network: string) =>
    failures.consume(network).catch((limited) => {
      if (limited instanceof RateLimited) lookups.limit(network, limited.retryAfterSeconds);
      throw limited;
    });

  const identify = async ({ key, ticket }: Credentials, admit: () => Promise<void>): Promise<Caller> => {
    if (key || !ticket) return authenticate({ key }, admit);
    const keyId = tickets.keyIdOf(ticket.text, ticket.channel);
    if (!keyId) throw new Refusal('invalid_ticket');
    return authenticate({ keyId });
  };

  const enter: Door['enter'] = async (credentials, address, bucket) => {
    const admit = () => lookups.admit(callerNetwork(address));
    const caller = await identify(credentials, admit).catch(async (error) => {
      if (isRefusedCredential(error)) await countFailure(callerNetwork(address));
      throw error;
    });
    if (caller.tier === 'free') throw new PlanRefused(bucket);
    const tier = caller.mode === 'sandbox' ? 'starter' : caller.tier;
    await limiters[tier][bucket].consume(caller.keyId);
    return caller;
  };
  const isStillGood: Door['isStillGood'] = (keyId) =>
    authenticate({ keyId }).then(
      ({ tier }) => tier !== 'free',
      (error) => !isRefusedCredential(error),
    );
  return { enter, isStillGood };
}

function isRefusedCredential(error: unknown): boolean {
  return error instanceof Refusal && refusals[error.code].status === 401;
}
