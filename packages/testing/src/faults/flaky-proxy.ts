import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
  request as send,
} from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { refusals } from '@assay/contract/refusals.ts';
import { listen } from '../run/listen.ts';

export type ProxiedRequest = {
  at: number;
  method: string;
  /** As the service sees it. */
  path: string;
  idempotencyKey: string | undefined;
  lastEventId: string | undefined;
  hasApiKey: boolean;
  effect: Effect;
  /** Status of the service's response. */
  status?: number;
};

/**
 * `reset` never reaches the service. `lost` does, but its response is dropped. `late` is delayed first. `torn` breaks in
 * the middle of the request body. `hung` is never answered. `answer`, `html` and `redirect` come from the proxy itself.
 */
type Effect = 'passed' | 'late' | 'reset' | 'lost' | 'torn' | 'hung' | 'answer' | 'html' | 'redirect';

const effects: Record<string, Effect> = {
  reset: 'reset',
  late: 'late',
  lost: 'lost',
  hang: 'hung',
  html: 'html',
  answer: 'answer',
  redirect: 'redirect',
};

type Exchange = { request: IncomingMessage; response: ServerResponse; to: URL; keepsHost: boolean };

/**
 * A real proxy that simulates a bad network. The start of the path selects the fault, so that any HTTP client can use
 * it: `/<target>/<token>/<fault>/<path at the target>`.
 *
 * `reset-2`, `lost-2`, `hang-2`, `redirect-2` (to the token with the suffix `-led`), `html-502-2`, `answer-429-2` and
 * `late-300-2` affect the first two requests of the token. `fifth` fails every fifth one, alternately torn and with 503.
 * `cut-700` breaks streams off after 700 ms. `calm` changes nothing. `GET /seen/<token>` lists the requests.
 */
export async function openFlakyProxy(targets: Record<string, string> = {}) {
  return openProxy(targets, ({ url = '' }) => {
    const [, target = '', token = '', fault = '', rest = ''] = /^\/([^/?]*)\/?([^/?]*)\/?([^/?]*)(.*)$/.exec(url) ?? [];
    return { target, token, fault, rest };
  });
}

/**
 * The same with one fault for all requests to one address. Paths and the Host header stay as they are: S3 signs both.
 */
export async function openFlakyAddress(address: string, fault: string) {
  const proxy = await openProxy(
    { it: address },
    ({ url = '' }) => ({ target: 'it', token: fault, fault, rest: url }),
    true,
  );
  return { ...proxy, seen: () => proxy.seen(fault) };
}

type Route = { target: string; token: string; fault: string; rest: string };

async function openProxy(
  targets: Record<string, string>,
  routeOf: (request: IncomingMessage) => Route,
  keepsHost = false,
) {
  const seen = new Map<string, ProxiedRequest[]>();
  const files = new Map<string, { type: string; text: string }>();
  // No connection is reused: some clients resend by themselves what failed on a reused one.
  const agent = new Agent({ keepAlive: false });

  const server = createServer(async (request, response) => {
    const { target, token, fault, rest } = routeOf(request);
    response.setHeader('connection', 'close');
    if (target === 'seen') return response.end(JSON.stringify(seen.get(token) ?? []));
    const file = files.get(`/${target}`);
    if (file) return response.setHeader('content-type', file.type).end(file.text);
    const base = targets[target];
    if (!base) return response.writeHead(404).end();

    const to = new URL(base + rest);
    const requests = seen.get(token) ?? [];
    seen.set(token, requests);
    // A browser's preflight is not an attempt of the client.
    const isPreflight = request.method === 'OPTIONS';
    const effect = isPreflight ? 'passed' : effectOf(fault, requests.length + 1);
    const proxied = { ...describe(request, to), effect };
    if (!isPreflight) requests.push(proxied);
    await carry({ request, response, to, keepsHost }, fault, proxied, agent);
  });
  const port = await listen(server);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    seen: (token: string) => seen.get(token) ?? [],
    leadTo(target: string, address: string) {
      targets[target] = address;
    },
    /** Serves a page or a script on the same origin as the proxied service. */
    serve(path: string, type: string, text: string) {
      files.set(path, { type, text });
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function describe({ method = '', headers }: IncomingMessage, to: URL): Omit<ProxiedRequest, 'effect'> {
  return {
    at: Date.now(),
    method,
    path: to.pathname + to.search,
    idempotencyKey: headers['idempotency-key'] as string | undefined,
    lastEventId: headers['last-event-id'] as string | undefined,
    hasApiKey: headers['x-api-key'] !== undefined,
  };
}

/** The effect of the n-th request of a token, from 1. */
function effectOf(fault: string, n: number): Effect {
  if (fault === 'fifth') {
    if (n % 5 !== 0) return 'passed';
    return n % 10 === 0 ? 'answer' : 'torn';
  }
  const [kind = '', ...numbers] = fault.split('-');
  return n <= Number(numbers.at(-1)) ? (effects[kind] ?? 'passed') : 'passed';
}

async function carry(exchange: Exchange, fault: string, proxied: ProxiedRequest, agent: Agent): Promise<void> {
  const { request, response } = exchange;
  const { effect } = proxied;
  const status = fault === 'fifth' ? 503 : Number(fault.split('-')[1]);
  switch (effect) {
    case 'reset':
      request.socket.resetAndDestroy();
      return;
    case 'torn':
      if (request.headers['content-length'] ?? request.headers['transfer-encoding']) {
        await Promise.race([once(request, 'data'), once(request, 'end')]);
      }
      request.socket.resetAndDestroy();
      return;
    case 'hung':
      request.resume();
      return;
    case 'redirect':
      await drain(request);
      response.writeHead(307, { location: request.url?.replace(`/${fault}/`, '-led/calm/') }).end();
      return;
    case 'answer':
    case 'html':
      await drain(request);
      answer(response, status, effect === 'html');
      return;
    default:
      if (effect === 'late') await sleep(status);
      forward(exchange, fault, proxied, agent);
  }
}

function forward(
  { request, response, to, keepsHost }: Exchange,
  fault: string,
  proxied: ProxiedRequest,
  agent: Agent,
): void {
  const { host = to.host } = keepsHost ? request.headers : {};
  const headers: OutgoingHttpHeaders = { ...request.headers, host, connection: 'close' };
  const onward = send(to, { method: request.method, headers, agent } as object, (answered) => {
    proxied.status = answered.statusCode ?? 0;
    if (proxied.effect === 'lost') {
      answered.resume();
      answered.on('end', () => request.socket.resetAndDestroy());
      return;
    }
    const { connection, 'keep-alive': keepAlive, ...rest } = answered.headers;
    response.writeHead(answered.statusCode ?? 502, { ...rest, connection: 'close' });
    response.flushHeaders();
    answered.pipe(response);
    answered.on('error', () => request.socket.resetAndDestroy());
    const isStream = rest['content-type']?.startsWith('text/event-stream');
    if (isStream && fault.startsWith('cut-')) {
      setTimeout(() => request.socket.resetAndDestroy(), Number(fault.slice(4)));
    }
  });
  // A target that is down, or goes down, is down for the caller too.
  onward.on('error', () => request.socket.resetAndDestroy());
  response.on('close', () => onward.destroy());
  request.on('error', () => onward.destroy());
  request.pipe(onward);
}

async function drain(request: IncomingMessage): Promise<void> {
  for await (const _ of request) {
    // the response does not depend on it
  }
}

/** In the service's format, or like a foreign proxy. */
function answer(response: ServerResponse, status: number, isForeign: boolean): void {
  if (isForeign) {
    response.writeHead(status, { 'content-type': 'text/html' }).end(`<html><h1>${status} Bad Gateway</h1></html>`);
    return;
  }
  if (status === 429) {
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' }).end('{"error":"Too many."}');
    return;
  }
  const code = Object.entries(refusals).findLast(([, refusal]) => refusal.status === status)?.[0] ?? 'internal_error';
  const problem = {
    type: 'about:blank',
    title: code,
    status,
    detail: `Sent by the proxy: ${code}.`,
    instance: '',
    code,
  };
  response
    .writeHead(status, {
      'content-type': 'application/problem+json',
      'x-request-id': 'of-the-proxy',
      'access-control-allow-origin': '*', // like a storage whose errors a page may read
    })
    .end(JSON.stringify({ ...problem, requestId: 'of-the-proxy' }));
}
