import { once } from 'node:events';
import { createServer, type IncomingMessage, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export type StorageProxy = {
  url: string;
  /** The number of reads, their total bytes, and the highest number of concurrent reads. */
  reads: { count: number; bytes: number; atOnceMax: number };
  close(): void;
};

/** A proxy in front of the real storage that counts reads, and refuses or delays requests as configured. */
export async function openStorageProxy(
  url: string,
  {
    refuse = () => null,
    delayMillis = () => 0,
  }: {
    refuse?: (request: IncomingMessage) => { status: number; errorCode: string } | null;
    delayMillis?: (request: IncomingMessage) => number;
  } = {},
): Promise<StorageProxy> {
  const { hostname, port, pathname } = new URL(url);
  const reads = { count: 0, bytes: 0, atOnceMax: 0 };
  let atOnce = 0;
  const server = createServer(async (request, response) => {
    const { method, headers, url: path } = request;
    const refused = refuse(request);
    if (refused) {
      // Azure's client reads the error code from the header, the S3 client from the body.
      response.writeHead(refused.status, { 'x-ms-error-code': refused.errorCode, 'content-type': 'application/xml' });
      return response.end(`<?xml version="1.0"?><Error><Code>${refused.errorCode}</Code></Error>`);
    }
    const isRead = method === 'GET';
    if (isRead) {
      reads.count++;
      reads.atOnceMax = Math.max(reads.atOnceMax, ++atOnce);
      response.once('close', () => atOnce--);
    }
    await sleep(delayMillis(request));
    const passed = send({ hostname, port, method, path, headers }, (storageResponse) => {
      response.writeHead(storageResponse.statusCode ?? 502, storageResponse.headers);
      storageResponse.on('data', (chunk: Buffer) => {
        if (isRead) reads.bytes += chunk.length;
      });
      storageResponse.pipe(response);
    });
    passed.on('error', () => response.destroy());
    return request.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${address.port}${pathname}`, reads, close: () => server.close() };
}
