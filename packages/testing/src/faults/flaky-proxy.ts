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
  /** The path as the service receives it. */
  path: string;
  idempotencyKey: string | undefined;
  lastEventId: string | undefined;
  hasApiKey: boolean;
  effect: Effect;
  /** Status of the service's response. */
  status?: number;
};

/**
 * What happens to a request. `reset`: it never reaches the service. `lost`: its response is dropped. `late`: it is
 * delayed first. `torn`: the connection breaks in the middle of its body. `hung`: it is never answered. `answer`,
 * `html` and `redirect`: the proxy itself responds.
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
 * `late-300-2` affect the first two requests of the token. `fifth` fails every fifth request, alternately `torn` and
 * with 503. `cut-700` interrupts streams after 700 ms. `calm` changes nothing. `GET /seen/<token>` lists the requests.
 */
export async function openFlakyProxy(targets: Record<string, string> = {}) {
  return openProxy(targets, ({ url = '' }) => {
    const [, target = '', token = '', fault = '', rest = ''] = /^\/([^/?]*)\/?([^/?]*)\/?([^/?]*)(.*)$/.exec(url) ?? [];
    return { target, token, fault, rest };
  });
}

/**
 * The same proxy with one fault for all requests to one address. Paths and the Host header are not changed, because S3
 * requests sign both.
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
  // Connections are not reused, because some HTTP clients resend a request that failed on a reused connection.
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
    // A browser's preflight does not count as a request.
    const isPreflight = request.method === 'OPTIONS';
    const effect = isPreflight ? 'passed' : effectOf(fault, requests.length + 1);
    const proxied = { ...describeRequest(request, to), effect };
    if (!isPreflight) requests.push(proxied);
    await applyEffect({ request, response, to, keepsHost }, fault, proxied, agent);
  });
  const port = await listen(server);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    seen: (token: string) => seen.get(token) ?? [],
    addTarget(target: string, address: string) {
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

function describeRequest({ method = '', headers }: IncomingMessage, to: URL): Omit<ProxiedRequest, 'effect'> {
  return {
    at: Date.now(),
    method,
    path: to.pathname + to.search,
    idempotencyKey: headers['idempotency-key'] as string | undefined,
    lastEventId: headers['last-event-id'] as string | undefined,
    hasApiKey: headers['x-api-key'] !== undefined,
  };
}

/** The effect on the n-th request of a token, counted from 1. */
function effectOf(fault: string, n: number): Effect {
  if (fault === 'fifth') {
    if (n % 5 !== 0) return 'passed';
    return n % 10 === 0 ? 'answer' : 'torn';
  }
  const [kind = '', ...numbers] = fault.split('-');
  return n <= Number(numbers.at(-1)) ? (effects[kind] ?? 'passed') : 'passed';
}

async function applyEffect(exchange: Exchange, fault: string, proxied: ProxiedRequest, agent: Agent): Promise<void> {
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
      await discardBody(request);
      response.writeHead(307, { location: request.url?.replace(`/${fault}/`, '-led/calm/') }).end();
      return;
    case 'answer':
    case 'html':
      await discardBody(request);
      respond(response, status, effect === 'html');
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
  const onward = send(to, { method: request.method, headers, agent } as object, (targetResponse) => {
    proxied.status = targetResponse.statusCode ?? 0;
    if (proxied.effect === 'lost') {
      targetResponse.resume();
      targetResponse.on('end', () => request.socket.resetAndDestroy());
      return;
    }
    const { connection, 'keep-alive': keepAlive, ...rest } = targetResponse.headers;
    response.writeHead(targetResponse.statusCode ?? 502, { ...rest, connection: 'close' });
    response.flushHeaders();
    targetResponse.pipe(response);
    targetResponse.on('error', () => request.socket.resetAndDestroy());
    const isStream = rest['content-type']?.startsWith('text/event-stream');
    if (isStream && fault.startsWith('cut-')) {
      setTimeout(() => request.socket.resetAndDestroy(), Number(fault.slice(4)));
    }
  });
  // If the target is down or goes down, the connection of the caller breaks too.
  onward.on('error', () => request.socket.resetAndDestroy());
  response.on('close', () => onward.destroy());
  request.on('error', () => onward.destroy());
  request.pipe(onward);
}

async function discardBody(request: IncomingMessage): Promise<void> {
  for await (const _ of request) {
    // reads the body and ignores it
  }
}

/** Responds in the service's format, or with HTML like another proxy in between. */
function respond(response: ServerResponse, status: number, isForeign: boolean): void {
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
      'access-control-allow-origin': '*', // object storage lets pages read its errors too
    })
    .end(JSON.stringify({ ...problem, requestId: 'of-the-proxy' }));
}
