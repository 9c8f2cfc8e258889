import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** The ports of HTTPS and HTTP, another web port, and a proxy port. */
const canaryPorts = [443, 80, 8443, 3128];

/**
 * Listens on every address of the namespace and records each connection, except those that `accept` takes over.
 */
export async function openCanaries(accept: (socket: Socket, at: string) => boolean = () => false) {
  let hits: string[] = [];
  await Promise.all(
    canaryPorts.map((port) => {
      const server = createServer((socket) => {
        const address = socket.localAddress?.replace(/^::ffff:(?=\d+\.)/, '') ?? 'gone already';
        const at = address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
        socket.on('error', () => {}); // the connection is already recorded
        if (accept(socket, at)) return;
        hits.push(at);
        socket.destroy();
      });
      server.listen(port, '::');
      return once(server, 'listening');
    }),
  );
  return {
    /** The addresses that were connected to since the previous call. */
    takeHits(): string[] {
      const taken = hits;
      hits = [];
      return taken;
    },
  };
}
