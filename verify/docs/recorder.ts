import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { paramsOf, prefixes, type Route } from '@assay/contract/route.ts';

type Call = { method: string; path: string; status: number };

/** Passes requests on to the service and records them, so that a test can tell which endpoints a program called. */
export async function openRecorder(serviceUrl: string) {
  let calls: Call[] = [];
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    const passedOn = send(new URL(url, serviceUrl), { method, headers }, (serviceResponse) => {
      const status = serviceResponse.statusCode ?? 0;
      calls.push({ method, path: url.split('?', 1)[0] ?? '', status });
      response.writeHead(status, serviceResponse.headers);
      response.flushHeaders(); // at once, even if a stream has no message yet
      serviceResponse.pipe(response);
    });
    passedOn.on('error', () => response.destroy());
    response.on('close', () => passedOn.destroy());
    request.pipe(passedOn);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The calls since the previous `takeCalls`. */
    takeCalls(): Call[] {
      const taken = calls;
      calls = [];
      return taken;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Whether this endpoint was called and succeeded. */
export function hasCalled(calls: Call[], route: Route): boolean {
  const path = paramsOf(route).reduce((rest, { inPath }) => rest.replace(`{${inPath}}`, '[^/]+'), route.path as string);
  const pattern = new RegExp(`^(${prefixes.join('|')})${path}$`);
  return calls.some((call) => {
    return call.method === route.method && pattern.test(call.path) && call.status === route.success.status;
  });
}
