import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * On stop, ends the connections that never carried a request, such as those that clients open in advance. Node counts
 * them as busy and would wait for them.
 */
export function endUnusedConnections(api: FastifyInstance): void {
  const unused = new Set<Socket>();
  api.server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  api.server.on('request', ({ socket }: { socket: Socket }) => unused.delete(socket));
  api.addHook('preClose', (done) => {
    for (const socket of unused) socket.destroy();
    done();
  });
}
