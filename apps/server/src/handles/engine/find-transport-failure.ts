import { once } from 'node:events';
import { connect as connectTcp, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { EngineSecurity } from './security.ts';

const probeMillisMax = 1000;

/**
 * Connects once and returns why that failed, if it did. The client repeats a failed call until its deadline, and then
 * reports only that the deadline has passed.
 */
export async function findTransportFailure(address: string, { tls }: EngineSecurity): Promise<Error | undefined> {
  const url = new URL(`tcp://${address}`);
  const host = url.hostname.replace(/^\[(.+)\]$/, '$1');
  const target = { host, port: Number(url.port || 7233) };
  const name = tls?.serverNameOverride ?? host;
  const socket = tls
    ? connectTls({
        ...target,
        ca: tls.serverRootCACertificate,
        cert: tls.clientCertPair?.crt,
        key: tls.clientCertPair?.key,
        ...(isIP(name) === 0 && { servername: name }),
        ALPNProtocols: ['h2'],
      })
    : connectTcp(target);
  const signal = AbortSignal.timeout(probeMillisMax);
  try {
    // A server speaks first in HTTP/2. A client certificate is refused only after the handshake, before that.
    await Promise.race([once(socket, 'data', { signal }), endOf(socket, signal)]);
    return undefined;
  } catch (error) {
    return signal.aborted ? undefined : (error as Error);
  } finally {
    socket.on('error', () => {});
    socket.destroy();
  }
}

async function endOf(socket: NodeJS.EventEmitter, signal: AbortSignal): Promise<never> {
  await once(socket, 'close', { signal });
  throw new Error('the server closed the connection without a word: check whether it expects TLS');
}
