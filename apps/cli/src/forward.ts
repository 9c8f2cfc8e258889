import { setTimeout as sleep } from 'node:timers/promises';
import { type Event, testHeaders, unwrap } from '@assay/sdk';

/** The delays between attempts are long enough for a receiver that restarts whenever its code changes. */
const retryDelaysMs = [500, 1_000, 2_000, 4_000];
const responseTimeoutMs = 30_000;

export type ForwardResult = {
  /** Null if there was no response. */
  status: number | null;
  durationMs: number;
  attemptCount: number;
  error: string | null;
};

/** Sends one event to the receiver, signed like a real delivery. Retries only if there is no response. */
export async function forward(event: Event, url: string, secret: string, signal: AbortSignal): Promise<ForwardResult> {
  const body = JSON.stringify(event);
  for (let attemptCount = 1; ; attemptCount += 1) {
    const startedAt = performance.now();
    const durationMs = () => Math.round(performance.now() - startedAt);
    try {
      const headers = await testHeaders(body, secret, { id: event.id });
      await unwrap(body, headers, secret); // throws if a receiver could not verify the signature
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'assay-listen', ...headers },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(responseTimeoutMs)]),
      });
      await response.arrayBuffer();
      return { status: response.status, durationMs: durationMs(), attemptCount, error: null };
    } catch (error) {
      signal.throwIfAborted();
      const waitMs = retryDelaysMs[attemptCount - 1];
      if (waitMs === undefined) return { status: null, durationMs: durationMs(), attemptCount, error: reasonOf(error) };
      await sleep(waitMs, undefined, { signal });
    }
  }
}

function reasonOf(error: unknown): string {
  const { cause, message, name } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return `no response within ${responseTimeoutMs / 1000} s`;
  return cause?.code ?? cause?.message ?? message;
}
