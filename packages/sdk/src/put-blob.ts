import { exchange } from './call.ts';
import { ConnectionError, UploadError } from './errors.ts';
import { sleep, waitMs } from './retry.ts';
import type { Target } from './upload-target.ts';

/** From here on in blocks: what breaks off costs one block, and several travel at once. */
const blocksFromBytes = 64 * 1024 * 1024;

type Options = {
  fetch: typeof fetch;
  contentType: string;
  concurrency: number;
  blockBytes: number;
  timeoutMs: number;
  maxRetries: number;
  signal: AbortSignal | undefined;
  onProgress: ((sentBytes: number, totalBytes: number) => void) | undefined;
};

/** Puts the bytes into the storage, as one blob or block by block. */
export async function putBlob(file: Blob, target: Target, options: Options): Promise<void> {
  if (file.size < blocksFromBytes) {
    const headers = { 'x-ms-blob-type': 'BlockBlob', 'content-type': options.contentType };
    await put(target, '', file, headers, options);
    options.onProgress?.(file.size, file.size);
    return;
  }
  const ids = await putBlocks(file, target, options);
  const list = ids.map((id) => `<Latest>${id}</Latest>`).join('');
  await put(
    target,
    '&comp=blocklist',
    `<?xml version="1.0" encoding="utf-8"?><BlockList>${list}</BlockList>`,
    { 'x-ms-blob-content-type': options.contentType },
    options,
  );
}

async function putBlocks(file: Blob, target: Target, options: Options): Promise<string[]> {
  const { blockBytes, concurrency, onProgress } = options;
  const ids = Array.from({ length: Math.ceil(file.size / blockBytes) }, (_, n) => btoa(String(n).padStart(6, '0')));
  // One that fails for good ends the others too.
  const failure = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, failure.signal]) : failure.signal;
  let next = 0;
  let sentBytes = 0;
  const carry = async () => {
    while (next < ids.length) {
      const n = next++;
      const block = file.slice(n * blockBytes, (n + 1) * blockBytes);
      await put(
        target,
        `&comp=block&blockid=${encodeURIComponent(ids[n] as string)}`,
        block,
        {},
        { ...options, signal },
      );
      sentBytes += block.size;
      onProgress?.(sentBytes, file.size);
    }
  };
  const carriers = Array.from({ length: Math.min(concurrency, ids.length) }, () =>
    carry().catch((error: unknown) => {
      failure.abort(error);
      throw error;
    }),
  );
  await Promise.all(carriers);
  return ids;
}

/** One request to the storage, sent again as long as that may help. Every one of them may be done twice. */
async function put(
  target: Target,
  query: string,
  body: Blob | string,
  headers: Record<string, string>,
  { fetch, timeoutMs, maxRetries, signal }: Options,
): Promise<void> {
  let url = await target.url();
  for (let attempt = 0; ; attempt += 1) {
    try {
      await exchange(fetch, url + query, { method: 'PUT', body, headers }, timeoutMs, signal, requireStored);
      return;
    } catch (error) {
      if (attempt >= maxRetries || !mayPutAgain(error)) throw error;
      await sleep(waitMs(attempt), signal);
      // 403 is how a storage says that the URL is over, whatever the clock here says.
      url = error instanceof UploadError && error.status === 403 ? await target.urlAfter(url) : await target.url();
    }
  }
}

async function requireStored(response: Response): Promise<void> {
  const text = await response.text();
  if (response.ok) return;
  const reason = /<Code>(\w+)</.exec(text)?.[1] ?? response.headers.get('x-ms-error-code') ?? 'no reason given';
  throw new UploadError(`The storage answered ${response.status} (${reason}).`, { status: response.status });
}

function mayPutAgain(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  return error instanceof UploadError && [403, 408, 429, 500, 502, 503, 504].includes(error.status ?? 0);
}
