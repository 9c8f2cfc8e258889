import { setTimeout as sleep } from 'node:timers/promises';
import { type Event, testHeaders, unwrap } from '@assay/sdk';

/** Between tries, while nobody answers: long enough for a receiver that restarts on every save. */
const waitsMs = [500, 1_000, 2_000, 4_000];
const answerMsMax = 30_000;

export type Forwarded = {
  /** Null when nobody answered. */
  status: number | null;
  durationMs: number;
  attemptCount: number;
  error: string | null;
};

/** Brings one event to the receiver, signed as the service signs. Any answer is an answer; silence is tried again. */
export async function forward(event: Event, url: string, secret: string, signal: AbortSignal): Promise<Forwarded> {
  const body = JSON.stringify(event);
  for (let attemptCount = 1; ; attemptCount += 1) {
    const startedAt = performance.now();
    const durationMs = () => Math.round(performance.now() - startedAt);
    try {
      const headers = await testHeaders(body, secret, { id: event.id });
      await unwrap(body, headers, secret); // what we could not verify ourselves is not worth sending
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'assay-listen', ...headers },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(answerMsMax)]),
      });
      await response.arrayBuffer();
      return { status: response.status, durationMs: durationMs(), attemptCount, error: null };
    } catch (error) {
      signal.throwIfAborted();
      const waitMs = waitsMs[attemptCount - 1];
      if (waitMs === undefined) return { status: null, durationMs: durationMs(), attemptCount, error: reasonOf(error) };
      await sleep(waitMs, undefined, { signal });
    }
  }
}

function reasonOf(error: unknown): string {
  const { cause, message, name } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return `no answer within ${answerMsMax / 1000} s`;
  return cause?.code ?? cause?.message ?? message;
}
