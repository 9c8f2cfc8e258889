import { PlanRefusal, Problem, RateLimitRefusal } from '@assay/contract/answers.ts';
import { refusals } from '@assay/contract/refusals.ts';
import { prefixes, type Route, refusalsOf, type StreamMessage } from '@assay/contract/route.ts';
import { routes } from '@assay/contract/routes.ts';

export type ApiResponse = {
  status: number;
  headers: Headers;
  // Tests read bodies of any shape. `checkResponse` has already checked them against the contract.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any;
};

/** A response that is an event stream. Its messages arrive one by one until it ends or is closed. */
export type Stream = ApiResponse & { messages: AsyncGenerator<Message, void>; close(): Promise<void> };
// biome-ignore lint/suspicious/noExplicitAny: as above
export type Message = StreamMessage & { data: any };
type Reader = ReadableStreamDefaultReader<Uint8Array>;

type Request = {
  json?: unknown;
  body?: RequestInit['body'];
  headers?: Record<string, string>;
  prefix?: string;
};

export type Client = ReturnType<typeof createClient>;

/** A client that sends requests like a caller, and checks every response against the contract. */
export function createClient(baseUrl: string, key?: string) {
  const request = (method: string, path: string, options: Request): Promise<Response> =>
    fetch(`${baseUrl}${options.prefix ?? prefixes[0]}${path}`, {
      method,
      headers: {
        ...(key && { 'x-api-key': key }),
        ...(options.json !== undefined && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      body: options.json === undefined ? (options.body ?? null) : JSON.stringify(options.json),
      ...(options.body instanceof ReadableStream && { duplex: 'half' }),
    } as RequestInit);
  const read = async (method: string, path: string, response: Response): Promise<ApiResponse> => {
    const { status, headers } = response;
    const type = headers.get('content-type') ?? '';
    const checked = { status, headers, body: await bodyOf(response, type) };
    checkResponse(method, path, checked);
    return checked;
  };
  const send = async (method: string, path: string, options: Request = {}): Promise<ApiResponse> =>
    read(method, path, await request(method, path, options));
  return {
    send,
    /** Opens an event stream. A response that is no stream, such as an error or 204, has a body and no messages. */
    async open(path: string, headers: Record<string, string> = {}): Promise<Stream> {
      const response = await request('GET', path, { headers });
      const isOpen = isStream(response.headers);
      const checked = isOpen
        ? { status: response.status, headers: response.headers, body: '' }
        : await read('GET', path, response);
      if (isOpen) checkResponse('GET', path, checked);
      const reader = isOpen ? response.body?.getReader() : undefined;
      return { ...checked, messages: messagesOf(path, reader), close: async () => reader?.cancel() };
    },
    get: (path: string, options?: Request) => send('GET', path, options),
    post: (path: string, json?: unknown, options?: Request) => send('POST', path, { json, ...options }),
    patch: (path: string, json?: unknown) => send('PATCH', path, { json }),
    delete: (path: string) => send('DELETE', path),
    uploadFile: (filename: string, bytes: Uint8Array | string, type?: string) => {
      const form = new FormData();
      form.append('file', new File([bytes as Uint8Array<ArrayBuffer>], filename, type ? { type } : {}));
      return send('POST', '/uploads/direct', { body: form });
    },
  };
}

const isStream = (headers: Headers) => headers.get('content-type') === 'text/event-stream';

async function bodyOf(response: Response, type: string) {
  if (type.startsWith('image/')) return Buffer.from(await response.arrayBuffer());
  // Only the first chunk of a stream is read, because it may never end.
  const text = isStream(response.headers) ? await firstChunkOf(response) : await response.text();
  return text !== '' && /json/.test(type) ? JSON.parse(text) : text;
}

async function firstChunkOf({ body }: Response): Promise<string> {
  for await (const piece of body ?? []) return Buffer.from(piece).toString();
  return '';
}

/** Yields each complete message, checked against the contract. Comments in a stream are keep-alives, not messages. */
async function* messagesOf(path: string, reader: Reader | undefined): AsyncGenerator<Message, void> {
  const success = routeAt('GET', path)?.success;
  const schemas = success && 'messages' in success ? success.messages : {};
  let text = '';
  const decoder = new TextDecoder();
  for (;;) {
    const { value: piece, done } = (await reader?.read()) ?? { done: true };
    if (done) return;
    const blocks = (text + decoder.decode(piece, { stream: true })).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/s) as [string, string]));
      if (fields.data === undefined) continue;
      const { id = '', event = '' } = fields;
      const schema = schemas[event];
      if (!schema || !id) throw new Error(`${path} sent a message that is not in the contract: ${block}`);
      const data = JSON.parse(fields.data);
      schema.parse(data);
      yield { id, event, data };
    }
  }
}

const everyRoute = Object.values<Route>(routes).map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

function routeAt(method: string, path: string): Route | undefined {
  const bare = path.split('?', 1)[0] as string;
  return everyRoute.find(({ route, pattern }) => route.method === method && pattern.test(bare))?.route;
}

/** Throws if the contract does not allow this response for this route. */
export function checkResponse(method: string, path: string, { status, headers, body }: ApiResponse): void {
  const complain = (what: string) => {
    throw new Error(`${method} ${path} answered with ${status}: ${what} ${JSON.stringify(body)}`);
  };
  for (const name of headers.keys()) if (name.startsWith('x-ratelimit')) complain(`unexpected header ${name}`);
  if (headers.has('retry-after') !== (status === 429)) complain('Retry-After belongs to 429 only');
  if (!headers.has('x-request-id')) complain('no X-Request-Id');
  if (method === 'HEAD') return; // has no body
  if (status === 402) return void PlanRefusal.parse(body);
  if (status === 429) return void RateLimitRefusal.parse(body);

  const route = routeAt(method, path);
  if (status >= 400) {
    const problem = Problem.parse(body);
    const refusal = refusals[problem.code as keyof typeof refusals];
    if (headers.get('content-type') !== 'application/problem+json') complain('not application/problem+json');
    if (refusal?.status !== status || problem.status !== status) complain('code and status disagree');
    const isRouting = ['route_not_found', 'method_not_allowed'].includes(problem.code);
    if (route && !isRouting && !refusalsOf(route).includes(problem.code as never)) complain('undeclared code');
  } else if (route) {
    const { success } = route;
    if (route.hasEtag && status === 304) {
      if (body !== '') complain('304 with a body');
      return;
    }
    const isNothing = 'messages' in success && status === 204;
    if (status !== success.status && !isNothing) complain('undeclared status');
    if ('messages' in success && isStream(headers) === isNothing)
      complain('a stream must be 200, and 204 must not be a stream');
    if (isNothing && body !== '') complain('204 with a body');
    if ('body' in success) success.body.parse(body);
    if ('file' in success && headers.get('content-type') !== success.file) complain('wrong content type');
  }
}
