import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** https and http, another web port, and the port of a proxy. */
const canaryPorts = [443, 80, 8443, 3128];

/**
 * Listens on every address of the namespace, and remembers each that somebody connects to. `takeIn` may say of a
 * connection that it is welcome, and then has it.
 */
export async function openCanaries(takeIn: (socket: Socket, at: string) => boolean = () => false) {
  let hits: string[] = [];
  await Promise.all(
    canaryPorts.map((port) => {
      const server = createServer((socket) => {
        const address = socket.localAddress?.replace(/^::ffff:(?=\d+\.)/, '') ?? 'gone already';
        const at = address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
        socket.on('error', () => {}); // whoever hangs up has been counted
        if (takeIn(socket, at)) return;
        hits.push(at);
        socket.destroy();
      });
      server.listen(port, '::');
      return once(server, 'listening');
    }),
  );
  return {
    /** Where somebody connected to since this was asked last. */
    takeHits(): string[] {
      const taken = hits;
      hits = [];
      return taken;
    },
  };
}
