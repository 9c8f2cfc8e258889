import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands before the storage and refuses to delete one blob, as a storage with a legal hold on it does. */
export async function openImmutableStorage(url: string, blobPath: string) {
  const target = new URL(url);
  const server = createServer((request, response) => {
    const isHeld = request.method === 'DELETE' && decodeURIComponent(request.url ?? '').includes(blobPath);
    if (isHeld) return response.writeHead(409, { 'x-ms-error-code': 'BlobImmutableDueToPolicy' }).end();
    const { method, headers, url: path } = request;
    const passed = send({ host: target.hostname, port: target.port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    return request.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}${target.pathname}`, close: () => server.close() };
}
