import { AssayError, ConnectionError, TimeoutError, toApiError } from './errors.ts';
import { mayRetry, sleep, waitMs } from './retry.ts';
import { type Operations, operations, prefix } from './wire.generated.ts';

export type CallOptions = {
  signal?: AbortSignal | undefined;
  /** For each attempt. */
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
  headers?: Record<string, string> | undefined;
};
export type WriteOptions = CallOptions & {
  /** Left out, each call makes one of its own. Name one to make a call safe over restarts of your program. */
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

type Name = keyof Operations;
type Input<N extends Name> = Omit<Operations[N], 'answer' | 'query'> &
  (Operations[N] extends { query: infer Query } ? { query?: Query | undefined } : unknown);
/** The last answer to a question that is asked again and again: without news the service only says so. */
export type Remembered = { etag?: string | undefined; answer?: unknown };
/** `isRepeatable`: doing it twice is harmless here, although the endpoint takes no Idempotency-Key. */
type AnyOptions = WriteOptions & { isRepeatable?: boolean; remembered?: Remembered };
export type Call = <N extends Name>(name: N, input: Input<N>, options?: AnyOptions) => Promise<Operations[N]['answer']>;

/** The one way in which anything is asked of the service. */
export function createCall(settings: Settings): Call {
  return async (name, input, options = {}) => {
    const [method, path, takesKey = false] = operations[name] as readonly [string, string, boolean?];
    const { params, query, body } = input as { params: unknown[]; query?: Record<string, unknown>; body?: unknown };
    const url = settings.baseUrl + prefix + filled(path, params) + queryText(query);
    const { remembered } = options;
    const headers: Record<string, string> = {
      ...(settings.apiKey && { 'x-api-key': settings.apiKey }), // a ticket takes its place
      ...(remembered?.etag && { 'if-none-match': remembered.etag }),
      ...settings.headers,
      ...options.headers,
    };
    // One key for all attempts: that is what makes sending it again harmless.
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
        const read = remembered ? (response: Response) => readAgain(response, remembered) : readAnswer;
        return (await exchange(settings.fetch, url, request, timeoutMs, options.signal, read)) as never;
      } catch (error) {
        if (attempt >= maxRetries || !mayRetry(error, isRepeatable)) throw error;
        await sleep(waitMs(attempt, error), options.signal);
      }
    }
  };
}

/**
 * One request and what `read` makes of its answer, within the time and unless the signal ends it. The body of a stream
 * goes on after that, and is its reader's to end.
 */
export async function exchange<Answer>(
  send: typeof fetch,
  url: string,
  request: RequestInit,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  read: (response: Response) => Promise<Answer>,
): Promise<Answer> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const stop = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  const timer = setTimeout(() => controller.abort(new TimeoutError(`No answer within ${timeoutMs} ms.`)), timeoutMs);
  try {
    // Not followed: a redirect would carry the key to wherever it leads.
    const response = await send(url, { ...request, redirect: 'manual', signal: controller.signal });
    return await read(response);
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason;
    // What is not ours is the network's: each runtime has words of its own for that.
    throw error instanceof AssayError ? error : (unreadable(error) ?? unreachable(url, error));
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

/** A file that cannot be read, or is no longer what it was, shows itself only while it is read. */
export function unreadable(error: unknown): AssayError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.name === 'NotReadableError') return new AssayError('The file changed while it was read.', { cause });
  }
  return undefined;
}

function unreachable(url: string, cause: unknown): ConnectionError {
  const { origin } = new URL(url);
  return new ConnectionError(`${origin} cannot be reached, or the connection broke. Is the address right?`, { cause });
}

async function readAgain(response: Response, remembered: Remembered): Promise<unknown> {
  if (response.status === 304) return remembered.answer;
  remembered.answer = await readAnswer(response);
  remembered.etag = response.headers.get('etag') ?? undefined;
  return remembered.answer;
}

async function readAnswer(response: Response): Promise<unknown> {
  if (!response.ok) throw await toApiError(response);
  if (response.status === 204) return undefined;
  if (isEventStream(response)) return response.body;
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('image/')) return new Uint8Array(await response.arrayBuffer());
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ConnectionError('The answer is no JSON. Is baseUrl the address of Assay?', { cause });
  }
}

function isEventStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') ?? false;
}

/** What any HTTP header can carry: printable ASCII. */
export const isHeaderText = (text: string) => /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text);

function headerText(key: string | undefined): string | undefined {
  if (key === undefined || isHeaderText(key)) return key;
  throw new AssayError('An idempotencyKey is printable ASCII, as it travels in a header.');
}

function filled(path: string, params: unknown[]): string {
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
  if (!/^https?:\/\/[^/]/.test(baseUrl)) throw new AssayError(`baseUrl is no web address: ${baseUrl}`);
  return baseUrl.replace(/\/+$/, '');
}
