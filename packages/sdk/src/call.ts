import { AssayError, ConnectionError, InvalidFileError, TimeoutError, toApiError } from './errors.ts';
import { mayRetry, retryDelayMs, sleep } from './retry.ts';
import { type Operations, operations, prefix } from './wire.generated.ts';

export type CallOptions = {
  signal?: AbortSignal | undefined;
  /** The time limit of each attempt. */
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
  headers?: Record<string, string> | undefined;
};
export type WriteOptions = CallOptions & {
  /** Default: a new key for each call. Pass your own to make a call safe across restarts of your program. */
  idempotencyKey?: string | undefined;
};

export type Settings = {
  apiKey: string;
  baseUrl: string;
  timeoutMs: number;
  maxRetries: number;
  headers: Record<string, string>;
  fetch: typeof fetch;
};

type OperationName = keyof Operations;
type OperationInput<N extends OperationName> = Omit<Operations[N], 'response' | 'query'> &
  (Operations[N] extends { query: infer Query } ? { query?: Query | undefined } : unknown);
/** The last response of a repeated read: with its ETag, the service answers 304 if nothing has changed. */
export type CachedResponse = { etag?: string | undefined; body?: unknown };
/** `isRepeatable`: safe to repeat, although the endpoint takes no Idempotency-Key. */
type AllCallOptions = WriteOptions & { isRepeatable?: boolean; cached?: CachedResponse };
export type Call = <N extends OperationName>(
  name: N,
  input: OperationInput<N>,
  options?: AllCallOptions,
) => Promise<Operations[N]['response']>;

/** Every request to the service goes through this function. */
export function createCall(settings: Settings): Call {
  return async (name, input, options = {}) => {
    const [method, path, takesKey = false] = operations[name] as readonly [string, string, boolean?];
    const { params, query, body } = input as { params: unknown[]; query?: Record<string, unknown>; body?: unknown };
    const url = settings.baseUrl + prefix + fillPath(path, params) + queryText(query);
    const { cached } = options;
    const headers: Record<string, string> = {
      ...(settings.apiKey && { 'x-api-key': settings.apiKey }), // calls with a ticket have no key
      ...(cached?.etag && { 'if-none-match': cached.etag }),
      ...settings.headers,
      ...options.headers,
    };
    // All attempts have the same key, which makes retries safe.
    if (takesKey) headers['idempotency-key'] = headerText(options.idempotencyKey) ?? crypto.randomUUID();
    if (body !== undefined && !(body instanceof FormData)) headers['content-type'] = 'application/json';
    const request = {
      method,
      headers,
      body: body === undefined || body instanceof FormData ? (body ?? null) : JSON.stringify(body),
    };

    const isRepeatable = method === 'GET' || takesKey || options.isRepeatable === true;
    const maxRetries = options.maxRetries ?? settings.maxRetries;
    const timeoutMs = options.timeoutMs ?? settings.timeoutMs;
    for (let attempt = 0; ; attempt += 1) {
      try {
        const read = cached ? (response: Response) => readCached(response, cached) : readBody;
        return (await sendRequest(settings.fetch, url, request, timeoutMs, options.signal, read)) as never;
      } catch (error) {
        if (attempt >= maxRetries || !mayRetry(error, isRepeatable)) throw error;
        await sleep(retryDelayMs(attempt, error), options.signal);
      }
    }
  };
}

/**
 * Sends one request and reads the response with `read`, limited by the timeout and the signal. The body of a stream
 * stays open afterwards; its reader must end it.
 */
export async function sendRequest<Body>(
  send: typeof fetch,
  url: string,
  request: RequestInit,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  read: (response: Response) => Promise<Body>,
): Promise<Body> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const stop = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  const timer = setTimeout(() => controller.abort(new TimeoutError(`No response within ${timeoutMs} ms.`)), timeoutMs);
  try {
    // Redirects are not followed: they would send the key to another server.
    const response = await send(url, { redirect: 'manual', ...request, signal: controller.signal });
    return await read(response);
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason;
    // All other errors are network errors; their types differ between runtimes.
    throw error instanceof AssayError ? error : (toUnreadableFileError(error) ?? toConnectionError(url, error));
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

const unreadableFileMessage = 'The file changed while it was being read, or can no longer be read.';

/** The error to throw if the file that was being sent has changed or cannot be read; undefined for other errors. */
export function toUnreadableFileError(error: unknown): AssayError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.name === 'NotReadableError')
      return new InvalidFileError('file_changed', unreadableFileMessage, { cause });
  }
  return undefined;
}

function toConnectionError(url: string, cause: unknown): ConnectionError {
  const { origin } = new URL(url);
  return new ConnectionError(`Cannot reach ${origin}, or the connection was lost.`, { cause });
}

async function readCached(response: Response, cached: CachedResponse): Promise<unknown> {
  if (response.status === 304) return cached.body;
  cached.body = await readBody(response);
  cached.etag = response.headers.get('etag') ?? undefined;
  return cached.body;
}

async function readBody(response: Response): Promise<unknown> {
  if (!response.ok) throw await toApiError(response);
  if (response.status === 204) return undefined;
  if (isEventStream(response)) return response.body;
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('image/')) return new Uint8Array(await response.arrayBuffer());
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ConnectionError('The response is not JSON. Check that baseUrl is the address of Assay.', { cause });
  }
}

function isEventStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') ?? false;
}

/** Whether the text is printable ASCII, which any HTTP header can contain. */
export const isHeaderText = (text: string) => /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text);

function headerText(key: string | undefined): string | undefined {
  if (key === undefined || isHeaderText(key)) return key;
  throw new AssayError('idempotencyKey must be printable ASCII.');
}

function fillPath(path: string, params: unknown[]): string {
  const rest = [...params];
  return path.replaceAll('{}', () => encodeURIComponent(String(rest.shift())));
}

function queryText(query: Record<string, unknown> = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value]
      .flat()
      .flatMap((one) => (one === undefined || one === null ? [] : [[name, String(one)] as [string, string]])),
  );
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : '';
}

export function addressOf(baseUrl: string): string {
  if (!/^https?:\/\/[^/]/.test(baseUrl)) throw new AssayError(`baseUrl is not an http or https URL: ${baseUrl}`);
  return baseUrl.replace(/\/+$/, '');
}
