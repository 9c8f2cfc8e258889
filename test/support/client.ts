import { PlanRefusal, Problem, RateLimitRefusal } from '@assay/contract/answers.ts';
import { refusals } from '@assay/contract/refusals.ts';
import { prefixes, type Route, refusalsOf } from '@assay/contract/route.ts';
import { routes } from '@assay/contract/routes.ts';

export type Answer = {
  status: number;
  headers: Headers;
  // Tests look into bodies of every shape; the contract below has checked them already.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any;
};

type Request = {
  json?: unknown;
  body?: RequestInit['body'];
  headers?: Record<string, string>;
  prefix?: string;
};

export type Client = ReturnType<typeof createClient>;

/** Talks as a caller would, and holds every single answer against the contract. */
export function createClient(baseUrl: string, key?: string) {
  const send = async (method: string, path: string, request: Request = {}): Promise<Answer> => {
    const response = await fetch(`${baseUrl}${request.prefix ?? prefixes[0]}${path}`, {
      method,
      headers: {
        ...(key && { 'x-api-key': key }),
        ...(request.json !== undefined && { 'content-type': 'application/json' }),
        ...request.headers,
      },
      body: request.json === undefined ? (request.body ?? null) : JSON.stringify(request.json),
      ...(request.body instanceof ReadableStream && { duplex: 'half' }),
    } as RequestInit);
    const text = await response.text();
    const isJson = text !== '' && /json/.test(response.headers.get('content-type') ?? '');
    const answer = { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
    checkAnswer(method, path, answer);
    return answer;
  };
  return {
    send,
    get: (path: string, request?: Request) => send('GET', path, request),
    post: (path: string, json?: unknown, request?: Request) => send('POST', path, { json, ...request }),
    patch: (path: string, json?: unknown) => send('PATCH', path, { json }),
    delete: (path: string) => send('DELETE', path),
    uploadFile: (filename: string, bytes: Uint8Array | string, type?: string) => {
      const form = new FormData();
      form.append('file', new File([bytes as Uint8Array<ArrayBuffer>], filename, type ? { type } : {}));
      return send('POST', '/uploads/direct', { body: form });
    },
  };
}

const everyRoute = Object.values<Route>(routes).map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

function routeAt(method: string, path: string): Route | undefined {
  const bare = path.split('?', 1)[0] as string;
  return everyRoute.find(({ route, pattern }) => route.method === method && pattern.test(bare))?.route;
}

/** Throws when an answer is none that the contract knows for this route. */
export function checkAnswer(method: string, path: string, { status, headers, body }: Answer): void {
  const complain = (what: string) => {
    throw new Error(`${method} ${path} answered ${status}: ${what} ${JSON.stringify(body)}`);
  };
  for (const name of headers.keys()) if (name.startsWith('x-ratelimit')) complain(`it sent ${name}`);
  if (headers.has('retry-after') !== (status === 429)) complain('Retry-After belongs to 429 alone');
  if (!headers.has('x-request-id')) complain('no X-Request-Id');
  if (status === 402) return void PlanRefusal.parse(body);
  if (status === 429) return void RateLimitRefusal.parse(body);

  const route = routeAt(method, path);
  if (status >= 400) {
    const problem = Problem.parse(body);
    const refusal = refusals[problem.code as keyof typeof refusals];
    if (headers.get('content-type') !== 'application/problem+json') complain('not a problem by its type');
    if (refusal?.status !== status || problem.status !== status) complain('code and status disagree');
    const isRouting = ['route_not_found', 'method_not_allowed'].includes(problem.code);
    if (route && !isRouting && !refusalsOf(route).includes(problem.code as never)) complain('undeclared code');
  } else if (route) {
    if (status !== route.success.status) complain('undeclared status');
    if (method !== 'HEAD' && 'body' in route.success) route.success.body.parse(body);
  }
}
