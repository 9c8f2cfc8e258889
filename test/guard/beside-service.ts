import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect } from 'node:net';
import { openCanaries } from './canaries.ts';
import { carry } from './carry.ts';
import { answerQuestions } from './resident.ts';

// Runs beside the service: the canaries at what it can reach without leaving its machine, and the ways to its parts.

export type BesideService = typeof answers;

const millisMax = 2000;
const canaries = await openCanaries();

/** As somebody does who checks nothing: looks the name up twice, connects to all that it is, and follows redirects. */
async function fallFor(text: string): Promise<void> {
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
  /** What is on these ports of the host’s loopback is on the same ports here. */
  carryPorts: ({ dir, ports }: { dir: string; ports: number[] }) =>
    Promise.all(ports.map((port) => carry({ host: '127.0.0.1', port }, `${dir}/${port}.sock`))).then(() => {}),
  /** And this port of ours can be reached from there. */
  offerPort: ({ dir, port }: { dir: string; port: number }) =>
    carry(`${dir}/${port}.sock`, { host: '127.0.0.1', port }).then(() => {}),
  takeHits: () => canaries.takeHits(),
  fallFor,
};
answerQuestions(answers);
