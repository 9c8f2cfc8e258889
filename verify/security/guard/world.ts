import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import type { Certificates } from '@assay/testing/faults/certificates.ts';
import { openCanaries } from './canaries.ts';
import { notifyTest, serveCalls } from './namespace-process.ts';
import { resolverAddress } from './namespaces.ts';
import { openResolver, type Records } from './resolver.ts';

// Runs in the world's namespace: canaries at all addresses, the receiver at some of them, and the resolver.

export type Received = { address: string; serverName: string; host: string; path: string };
export type World = typeof answers;

const receivedRequests: Received[] = [];
const heldResponses = new Map<string, ServerResponse>();
let receiverAt: string[] = [];
let tlsServer: ReturnType<typeof createTlsServer> | undefined;

const receiver = createServer((request, response) => {
  const { localAddress = '', servername } = request.socket as TLSSocket & { servername: string | false };
  const { host = '' } = request.headers;
  const path = request.url ?? '';
  receivedRequests.push({ address: localAddress.replace(/^::ffff:/, ''), serverName: servername || '', host, path });
  request.resume();
  const [, action, status, to] = path.split('/');
  if (action === 'hold') {
    heldResponses.set(host, response);
    notifyTest(host);
  } else if (action === 'redirect') {
    response.writeHead(Number(status), { location: decodeURIComponent(to ?? '') }).end();
  } else {
    response.writeHead(204).end();
  }
});

const canaries = await openCanaries((socket: Socket, at) => {
  if (!tlsServer || !receiverAt.includes(at)) return false;
  tlsServer.emit('connection', socket);
  return true;
});
const resolver = await openResolver(resolverAddress);

const answers = {
  openReceiver({ keyFile, certificateFile }: Certificates) {
    const settings = { key: readFileSync(keyFile), cert: readFileSync(certificateFile) };
    tlsServer = createTlsServer(settings, (socket) => receiver.emit('connection', socket));
    tlsServer.on('tlsClientError', () => {});
  },
  /** From now on, the receiver responds at these addresses, and a canary at all others. */
  receiveAt(places: string[]) {
    receiverAt = places;
  },
  /** Answers the held request with a failure and closes the connection, so that the next attempt opens a new one. */
  release(host: string) {
    heldResponses.get(host)?.writeHead(500, { connection: 'close' }).end();
    heldResponses.delete(host);
  },
  resolveTo: ({ name, lookups }: { name: string; lookups: Records[] }) => resolver.set(name, lookups),
  takeHits: () => canaries.takeHits(),
  received: () => receivedRequests,
  takeNamesAsked: () => resolver.takeAsked(),
};
serveCalls(answers);
