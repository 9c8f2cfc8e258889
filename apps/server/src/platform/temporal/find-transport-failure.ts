import { isIP, connect as openTcp } from 'node:net';
import { connect as openTls } from 'node:tls';
import type { EngineSecurity } from './security.ts';

const probeMillisMax = 1000;
const settingsFrame = 4;
/** The first bytes that an HTTP/2 client sends: the preface and empty settings. The server responds with settings. */
const greeting = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from([0, 0, 0, settingsFrame, 0, 0, 0, 0, 0]),
]);

/**
 * Connects once and returns why that failed, if it did. The client repeats a failed call until its deadline, and then
 * reports only that the deadline has passed.
 */
export function findTransportFailure(address: string, security: EngineSecurity): Promise<Error | undefined> {
  const { promise, resolve } = Promise.withResolvers<Error | undefined>();
  const socket = openSocket(address, security);
  const timer = setTimeout(() => resolve(undefined), probeMillisMax);
  const advice = security.tls ? 'requires another client certificate' : 'expects TLS';
  const refused = new Error(`the server closed the connection: check whether it ${advice}`);
  socket.on('error', resolve);
  socket.on('close', () => resolve(refused));
  // The server refuses a client certificate after the handshake, so only a response is a success.
  socket.on('data', (answer) => resolve(answer[3] === settingsFrame ? undefined : refused));
  // Over TLS the server sends first. Writing to a server that refuses the certificate could hide its alert.
  if (!security.tls) socket.write(greeting);
  return promise.finally(() => {
    clearTimeout(timer);
    socket.destroy();
  });
}

function openSocket(address: string, { tls }: EngineSecurity) {
  const { hostname, port } = new URL(`tcp://${address}`);
  const target = { host: hostname.replace(/^\[(.+)\]$/, '$1'), port: Number(port || 7233) };
  if (!tls) return openTcp(target);
  const name = tls.serverNameOverride ?? target.host;
  return openTls({
    ...target,
    ca: tls.serverRootCACertificate,
    cert: tls.clientCertPair?.crt,
    key: tls.clientCertPair?.key,
    ...(isIP(name) === 0 && { servername: name }),
    ALPNProtocols: ['h2'],
  });
}
