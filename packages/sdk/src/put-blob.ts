import { sendRequest } from './call.ts';
import { ConnectionError, UploadError } from './errors.ts';
import { sleep, waitMs } from './retry.ts';
import type { Target } from './upload-target.ts';

/** Larger files are uploaded in blocks: in parallel, and an error costs one block only. */
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

/** Uploads a file to object storage, in one request or in blocks. */
export async function putBlob(file: Blob, target: Target, options: Options): Promise<void> {
  if (file.size < blocksFromBytes || !takesBlocks(await target.url())) {
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

/** Only Azure Blob Storage, whose URLs say what they are for with `sr`. S3 stores up to 5 GiB in one request. */
function takesBlocks(url: string): boolean {
  return new URL(url).searchParams.has('sr');
}

async function putBlocks(file: Blob, target: Target, options: Options): Promise<string[]> {
  const { blockBytes, concurrency, onProgress } = options;
  const ids = Array.from({ length: Math.ceil(file.size / blockBytes) }, (_, n) => btoa(String(n).padStart(6, '0')));
  // A failed block cancels the others.
  const failure = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, failure.signal]) : failure.signal;
  let next = 0;
  let sentBytes = 0;
  const uploadBlocks = async () => {
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
  const workers = Array.from({ length: Math.min(concurrency, ids.length) }, () =>
    uploadBlocks().catch((error: unknown) => {
      failure.abort(error);
      throw error;
    }),
  );
  await Promise.all(workers);
  return ids;
}

/** One request to object storage, with retries. All of these requests are idempotent. */
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
      await sendRequest(fetch, url + query, { method: 'PUT', body, headers }, timeoutMs, signal, requireStored);
      return;
    } catch (error) {
      if (attempt >= maxRetries || !mayRetryPut(error)) throw error;
      await sleep(waitMs(attempt), signal);
      // Storage answers 403 when the URL has expired, whatever the local clock says.
      url = error instanceof UploadError && error.status === 403 ? await target.urlAfter(url) : await target.url();
    }
  }
}

async function requireStored(response: Response): Promise<void> {
  const text = await response.text();
  if (response.ok) return;
  const reason = /<Code>(\w+)</.exec(text)?.[1] ?? response.headers.get('x-ms-error-code') ?? 'no reason given';
  throw new UploadError(`Object storage responded with HTTP ${response.status} (${reason}).`, {
    status: response.status,
  });
}

function mayRetryPut(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  return error instanceof UploadError && [403, 408, 429, 500, 502, 503, 504].includes(error.status ?? 0);
}
