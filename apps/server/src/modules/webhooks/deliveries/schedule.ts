import { retryAfterSecondsMax } from '@assay/contract/limits.ts';

/** Between 0.8 and 1.2, so that deliveries that failed together are not retried together. */
function jitter(random: number): number {
  return 0.8 + 0.4 * random;
}

/**
 * How long to wait for the next attempt after this number of attempts; undefined after the last one. A longer wait that
 * the receiver requests is respected, up to a limit.
 */
export function waitMillisAfter(
  attemptCount: number,
  waitsSeconds: readonly number[],
  retryAfterSeconds: number,
  random: number,
): number | undefined {
  const planned = waitsSeconds[attemptCount];
  if (planned === undefined) return undefined;
  const requested = Math.min(retryAfterSeconds, retryAfterSecondsMax);
  return Math.round(Math.max(planned * jitter(random), requested) * 1000);
}

/** RFC 9110, 10.2.3: seconds, or a date. 0 if missing or invalid; only 429 and 503 can request a wait. */
export function retryAfterSeconds(status: number, header: string | undefined, now: Date): number {
  if ((status !== 429 && status !== 503) || header === undefined) return 0;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? 0 : Math.max(0, (at - now.getTime()) / 1000);
}
