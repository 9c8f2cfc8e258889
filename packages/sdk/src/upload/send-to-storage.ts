import { sendRequest } from '../call.ts';
import { ConnectionError, UploadError } from '../errors.ts';
import { retryDelayMs, sleep } from '../retry.ts';
import type { RenewableUrls } from './renewable.ts';

export type StorageOptions = {
  fetch: typeof fetch;
  timeoutMs: number;
  maxRetries: number;
  signal: AbortSignal | undefined;
};

/** The method and headers with which the service wants the bytes to be sent. */
export type UploadInstructions = { method: string; headers: readonly { name: string; value: string }[] };

/** One request to object storage, with retries. All of these requests are idempotent. */
export async function sendToStorage<Grant extends UploadInstructions>(
  grants: RenewableUrls<Grant>,
  urlOf: (grant: Grant) => string,
  bodyOf: () => RequestInit,
  { fetch, timeoutMs, maxRetries, signal }: StorageOptions,
): Promise<void> {
  let grant = await grants.get();
  for (let attempt = 0; ; attempt += 1) {
    try {
      const body = bodyOf();
      const headers = { ...body.headers, ...Object.fromEntries(grant.headers.map(({ name, value }) => [name, value])) };
      const request = { ...body, method: grant.method, headers };
      await sendRequest(fetch, urlOf(grant), request, timeoutMs, signal, requireStored);
      return;
    } catch (error) {
      if (attempt >= maxRetries || !mayRetryRequest(error)) throw error;
      await sleep(retryDelayMs(attempt), signal);
      // Storage answers 403 when the URL has expired, even if it is still valid by the local clock.
      const isRefused = error instanceof UploadError && error.status === 403;
      grant = isRefused ? await grants.after(grant) : await grants.get();
    }
  }
}

async function requireStored(response: Response): Promise<void> {
  const text = await response.text();
  if (response.ok) return;
  const reason = /<Code>(\w+)</.exec(text)?.[1] ?? 'no reason given';
  throw new UploadError(`Object storage responded with HTTP ${response.status} (${reason}).`, {
    status: response.status,
  });
}

function mayRetryRequest(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  return error instanceof UploadError && [403, 408, 429, 500, 502, 503, 504].includes(error.status ?? 0);
}
