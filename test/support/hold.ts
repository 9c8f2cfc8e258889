import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type Hold = {
  /** The same address, with the proxy in place of what it stands before. */
  url: string;
  /** Resolves when an answer was cut short for the first time. */
  held: Promise<void>;
  /** From now on everything goes through. */
  release(): void;
  close(): void;
};

/** A proxy on loopback that passes on so many bytes of each connection's answers, and keeps the rest back. */
export async function openHold(targetUrl: string, bytesMax: number): Promise<Hold> {
  const target = new URL(targetUrl);
  const { promise: held, resolve: tellHeld } = Promise.withResolvers<void>();
  const sockets = new Set<Socket>();
  const paused = new Set<Socket>();
  let isHolding = true;

  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    let passedBytes = 0;
    near.pipe(far);
    far.on('data', (chunk) => {
      near.write(chunk);
      passedBytes += chunk.length;
      if (!isHolding || passedBytes < bytesMax) return;
      far.pause();
      paused.add(far);
      tellHeld();
    });
    far.on('end', () => near.end());
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {}); // either side may leave as it likes
      socket.on('close', () => {
        near.destroy();
        far.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: targetUrl.replace(target.host, `127.0.0.1:${port}`),
    held,
    release() {
      isHolding = false;
      for (const socket of paused) socket.resume();
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
