import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '@assay/testing/run/listen.ts';
import type { VersionName } from './version.ts';

/** One request of a caller. Status 0: no response. */
export type AnsweredRequest = { version: VersionName | 'none'; kind: string; status: number; isExpected: boolean };

type Api = { url: string; version: VersionName; isReady: boolean; agent: Agent };

const probeMillis = 200;
const probeMillisMax = 2000;
const readyMillisMax = 30_000;
const pathPrefix = /^\/api(\/v1)?\/integrations/;
const idPattern = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

/** The statuses of each kind of request when the service works. */
const expectedStatuses: Record<string, number[]> = {
  'POST /webhooks/subscriptions': [201],
  'POST /uploads/direct': [201],
  'POST /uploads/url': [200],
  'POST /submissions': [201],
  'GET /submissions/{id}': [200],
  'GET /submissions/{id}/assets/{id}': [200],
  'GET /submissions/{id}/assets/{id}/issues': [200],
  'POST /submissions/{id}/cancel': [202, 409], // the submission may be finished already
  'POST /submissions/{id}/assets/{id}/retry': [202],
  'DELETE /submissions/{id}': [204],
};

/**
 * A load balancer on loopback: sends each request to the next API that reports ready. It repeats no request, so that
 * callers notice every failure.
 */
export async function openBalancer(onAnswer: (answered: AnsweredRequest) => void) {
  const apis = new Map<string, Api>();
  const deletedPaths = new Set<string>();
  let turn = 0;

  const next = () => {
    const ready = [...apis.values()].filter(({ isReady }) => isReady);
    return ready[turn++ % ready.length];
  };
  const forward = (incoming: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers } = incoming;
    const path = (url.split('?', 1)[0] as string).replace(pathPrefix, '');
    if (method === 'DELETE') deletedPaths.add(path);
    const api = next();
    let isCounted = false;
    const count = (status: number) => {
      if (!isCounted) onAnswer({ version: api?.version ?? 'none', ...judge(method, path, status) });
      isCounted = true;
    };
    const refuse = () => {
      count(0);
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    };
    if (!api) return refuse();
    const sent = request(api.url + url, { method, headers, agent: api.agent });
    sent.on('error', refuse);
    sent.on('response', (apiResponse) => {
      response.writeHead(apiResponse.statusCode ?? 0, apiResponse.headers);
      apiResponse.pipe(response);
      apiResponse.on('end', () => count(apiResponse.statusCode ?? 0));
      apiResponse.on('error', refuse);
    });
    // A caller that closes the connection before the end has waited too long.
    response.on('close', () => {
      if (!isCounted) sent.destroy();
      count(0);
    });
    incoming.pipe(sent);
  };
  const judge = (method: string, path: string, status: number) => {
    const kind = `${method} ${path.replaceAll(idPattern, '{id}')}`;
    const isGone = status === 404 && method === 'GET' && deletedPaths.has(path);
    return { kind, status, isExpected: isGone || (expectedStatuses[kind] ?? []).includes(status) };
  };

  const server = createServer(forward);
  const port = await listen(server);
  const end = new AbortController();
  const probing = probeUntil(end.signal, apis);
  return {
    url: `http://127.0.0.1:${port}`,
    /** Resolves once the API is ready. */
    async add(url: string, version: VersionName): Promise<void> {
      const api: Api = { url, version, isReady: false, agent: new Agent({ keepAlive: true }) };
      apis.set(url, api);
      for (const deadline = Date.now() + readyMillisMax; !api.isReady; await sleep(probeMillis))
        if (Date.now() > deadline) throw new Error(`the ${version} api is not ready after ${readyMillisMax / 1000} s`);
    },
    /** Called after the process has exited. */
    remove(url: string): void {
      apis.get(url)?.agent.destroy();
      apis.delete(url);
    },
    async close(): Promise<void> {
      end.abort();
      await probing;
      for (const { agent } of apis.values()) agent.destroy();
      server.close();
      server.closeAllConnections();
    },
  };
}

async function probeUntil(end: AbortSignal, apis: Map<string, Api>): Promise<void> {
  const probe = async (api: Api) => {
    try {
      const { ok } = await fetch(`${api.url}/readyz`, { signal: AbortSignal.timeout(probeMillisMax) });
      api.isReady = ok;
    } catch (error) {
      if ((error as Error).name !== 'TimeoutError') api.isReady = false; // slow, but not down
    }
  };
  while (!end.aborted) {
    await Promise.all([...apis.values()].map(probe));
    await sleep(probeMillis);
  }
}
