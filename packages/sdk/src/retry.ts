import { ApiError, ConnectionError } from './errors.ts';

const firstDelayMs = 500;
const delayMsMax = 8_000;
/** With a longer Retry-After, the call is not retried and the caller gets the error. */
const retryAfterMsMax = 120_000;

/**
 * Whether a retry may help and is safe. A request that may already have been processed is repeated only if that is
 * harmless: reads, and writes with an Idempotency-Key.
 */
export function mayRetry(error: unknown, isRepeatable: boolean): boolean {
  if (error instanceof ConnectionError) return isRepeatable;
  if (!(error instanceof ApiError) || (error.retryAfterSeconds ?? 0) * 1000 > retryAfterMsMax) return false;
  if (error.status === 429) return true;
  if (error.status === 409) return error.code === 'idempotency_in_flight';
  return isRepeatable && [500, 502, 503, 504].includes(error.status);
}

/** Exponential backoff with jitter, or the Retry-After of the service. */
export function retryDelayMs(attempt: number, error?: unknown): number {
  const retryAfterSeconds = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  const jitter = 0.75 + Math.random() / 2;
  if (retryAfterSeconds) return retryAfterSeconds * 1000;
  return Math.min(firstDelayMs * 2 ** attempt, delayMsMax) * jitter;
}

/** Rejects with the signal's reason as soon as the signal is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
