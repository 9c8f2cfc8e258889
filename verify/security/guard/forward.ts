import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts, type Server } from 'node:net';

/**
 * Forwards connections from one address or socket to another. A Unix socket is reachable from every network namespace.
 */
export async function forwardConnections(
  here: string | { host: string; port: number },
  there: string | { host: string; port: number },
): Promise<Server> {
  const target: NetConnectOpts = typeof there === 'string' ? { path: there } : there;
  const server = createServer((near) => {
    const far = connect(target);
    near.pipe(far).pipe(near);
    for (const [one, other] of [[near, far] as const, [far, near] as const]) {
      one.setNoDelay(true);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  server.listen(typeof here === 'string' ? { path: here } : here);
  await once(server, 'listening');
  return server;
}
