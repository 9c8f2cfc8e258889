import { connect, createServer, type Socket } from 'node:net';
import { listen } from '../run/listen.ts';

export type TcpProxy = { address: string; sockets: Set<Socket>; close(): void };

/** A proxy on loopback. `forward` transfers what the caller (`near`) and the target (`far`) send to each other. */
export async function openTcpProxy(
  target: { hostname: string; port: string },
  forward: (near: Socket, far: Socket) => void,
): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {}); // either side may close at any time
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    forward(near, far);
  });
  const port = await listen(server);
  return {
    address: `127.0.0.1:${port}`,
    sockets,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
