import { type Bucket, buckets, failedAuthenticationsPerMinuteMax, type PaidTier } from '@assay/contract/limits.ts';
import { Refusal, refusals } from '@assay/contract/refusals.ts';
import type { Caller } from '#call/caller.ts';
import type { Authenticate } from '#modules/identity/keys/authenticate.ts';
import type { Tickets } from '#modules/identity/tickets/ticket.ts';
import type { Handles } from '#platform/handles.ts';
import { callerNetwork } from './limits/caller-network.ts';
import { createLookupLimit } from './limits/lookup-limit.ts';
import { createDegradedWindow, createLimiter, RateLimited, type RateLimiter } from './limits/rate-limit.ts';

export type RateLimits = Record<PaidTier, Record<Bucket, number>>;

/** §7: the plan does not include the service. */
export class PlanRefused extends Error {
  readonly bucket: Bucket;

  constructor(bucket: Bucket) {
    super('plan refused');
    this.bucket = bucket;
  }
}

/** The credentials of a request: a key, or a ticket for a channel. */
export type Credentials = { key: string | undefined; ticket?: { text: string; channel: string } | undefined };

export type Authorizer = {
  authorize(credentials: Credentials, address: string, bucket: Bucket): Promise<Caller>;
  /** Whether a key that was accepted before is still valid; during an outage it is assumed to be. */
  isStillValid(keyId: string): Promise<boolean>;
};

/** The first steps of the request pipeline, in the order of their refusals: key (401), plan (402), rate limit (429). */
export function createAuthorizer(
  handles: Handles,
  authenticate: Authenticate,
  tickets: Tickets,
  rateLimits: RateLimits,
): Authorizer {
  const degraded = createDegradedWindow(handles.redis, handles.clock);
  const failures = createLimiter(handles, 'failed_authentication', failedAuthenticationsPerMinuteMax, degraded);
  const limiters = Object.fromEntries(
    Object.entries(rateLimits).map(([tier, allowance]) => [
      tier,
      Object.fromEntries(
        buckets.map((bucket) => [bucket, createLimiter(handles, bucket, allowance[bucket], degraded)]),
      ),
    ]),
  ) as Record<PaidTier, Record<Bucket, RateLimiter>>;

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

  const authorize: Authorizer['authorize'] = async (credentials, address, bucket) => {
    const admit = () => lookups.admit(callerNetwork(address));
    const caller = await identify(credentials, admit).catch(async (error) => {
      if (isRefusedCredential(error)) await countFailure(callerNetwork(address));
      throw error;
    });
    if (caller.tier === 'free') throw new PlanRefused(bucket);
    const tier = caller.mode === 'sandbox' ? 'starter' : caller.tier;
    await limiters[tier][bucket].consume(caller.actor.id);
    return caller;
  };
  const isStillValid: Authorizer['isStillValid'] = (keyId) =>
    authenticate({ keyId }).then(
      ({ tier }) => tier !== 'free',
      (error) => !isRefusedCredential(error),
    );
  return { authorize, isStillValid };
}

function isRefusedCredential(error: unknown): boolean {
  return error instanceof Refusal && refusals[error.code].status === 401;
}
