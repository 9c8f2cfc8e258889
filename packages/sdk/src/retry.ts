import { ApiError, ConnectionError } from './errors.ts';

const firstWaitMs = 500;
const longestWaitMs = 8_000;
/** A wait that the service asks for is kept up to this; who is told to wait longer is told so. */
const longestAskedWaitMs = 120_000;

/**
 * Whether sending the same again may help and can do no harm. What was perhaps done already is only sent again when
 * the service would notice: reads, and writes that carry an Idempotency-Key.
 */
export function mayRetry(error: unknown, isRepeatable: boolean): boolean {
  if (error instanceof ConnectionError) return isRepeatable;
  if (!(error instanceof ApiError) || (error.retryAfterSeconds ?? 0) * 1000 > longestAskedWaitMs) return false;
  if (error.status === 429) return true;
  if (error.status === 409) return error.code === 'idempotency_in_flight';
  return isRepeatable && [500, 502, 503, 504].includes(error.status);
}

/** Twice as long each time, spread so that many clients do not come back at once. */
export function waitMs(attempt: number, error?: unknown): number {
  const asked = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  const spread = 0.75 + Math.random() / 2;
  return asked ? asked * 1000 : Math.min(firstWaitMs * 2 ** attempt, longestWaitMs) * spread;
}

/** Rejects with the signal's reason as soon as it is aborted. */
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
