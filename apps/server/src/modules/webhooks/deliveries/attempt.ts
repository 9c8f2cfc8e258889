import type { Attempt } from '@assay/contract/schemas/webhook.ts';
import type { Clock } from '#platform/clock.ts';
import type { Outbound, PostResult } from '../outbound/outbound.ts';
import { signedHeaders } from '../outbound/sign.ts';
import { retryAfterSeconds } from './schedule.ts';

export type WebhookMessage = { eventId: string; body: string; url: string; secrets: string[] };

export type AttemptResult = Omit<Attempt, 'attemptNumber' | 'trigger'> & { retryAfterSeconds: number };

/** Sends an event once and returns the result. Rejects if the signal is aborted: then there is no result. */
export async function attemptDelivery(
  { eventId, body, url, secrets }: WebhookMessage,
  outbound: Outbound,
  clock: Clock,
  signal?: AbortSignal,
): Promise<AttemptResult> {
  const startedAt = clock.now();
  const posted = await outbound.post(url, signedHeaders({ id: eventId, body, secrets }, startedAt), body, signal);
  const now = clock.now();
  return {
    url,
    startedAt: startedAt.toISOString(),
    durationMs: Math.max(0, now.getTime() - startedAt.getTime()),
    ...outcomeOf(posted),
    retryAfterSeconds: 'status' in posted ? retryAfterSeconds(posted.status, posted.retryAfter, now) : 0,
  };
}

// Only 2xx is a success. Redirects are not followed, because they could lead to any address.
function outcomeOf(posted: PostResult) {
  if ('errorCode' in posted) {
    return { responseStatus: null, responseBody: null, errorCode: posted.errorCode, errorMessage: posted.message };
  }
  const response = { responseStatus: posted.status, responseBody: posted.body };
  if (posted.status >= 200 && posted.status < 300) return { ...response, errorCode: null, errorMessage: null };
  const isRedirect = posted.status >= 300 && posted.status < 400;
  return {
    ...response,
    errorCode: isRedirect ? ('redirect' as const) : ('http_status' as const),
    errorMessage: isRedirect
      ? 'The receiver responded with a redirect, which is not followed. Subscribe with the URL that it redirects to.'
      : `The receiver responded with ${posted.status}.`,
  };
}
