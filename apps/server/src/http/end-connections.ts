import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * On stop, ends the connections that never carried a request. Node counts them as busy and would wait for them;
 * clients open some in advance.
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
