import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect } from 'node:net';
import { openCanaries } from './canaries.ts';
import { forwardConnections } from './forward.ts';
import { serveCalls } from './namespace-process.ts';

// Runs in the service's namespace: canaries at the addresses of its host, and forwarders to its parts.

export type BesideService = typeof answers;

const millisMax = 2000;
const canaries = await openCanaries();

/** A client without checks: looks the name up twice, connects to every address, and follows redirects. */
async function connectUnchecked(text: string): Promise<void> {
  const url = new URL(text);
  url.username = url.password = url.hash = '';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (host === '') return;
  await lookup(host).catch(() => {});
  const found = await lookup(host, { all: true }).catch(() => []);
  const port = Number(url.port || (url.protocol === 'http:' ? 80 : 443));
  for (const { address } of found) {
    const socket = connect({ host: address, port, timeout: millisMax });
    socket.on('timeout', () => socket.destroy());
    await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => {});
    socket.destroy();
  }
  const signal = AbortSignal.timeout(millisMax);
  await fetch(url, { method: 'POST', body: '{}', signal }).catch(() => {});
}

const answers = {
  /** Makes these loopback ports of the host available on the same ports in the namespace. */
  forwardPorts: ({ dir, ports }: { dir: string; ports: number[] }) =>
    Promise.all(ports.map((port) => forwardConnections({ host: '127.0.0.1', port }, `${dir}/${port}.sock`))).then(
      () => {},
    ),
  /** Makes this port of the namespace available to the host. */
  offerPort: ({ dir, port }: { dir: string; port: number }) =>
    forwardConnections(`${dir}/${port}.sock`, { host: '127.0.0.1', port }).then(() => {}),
  takeHits: () => canaries.takeHits(),
  connectUnchecked,
};
serveCalls(answers);
