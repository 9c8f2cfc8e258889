import type { Socket } from 'node:net';
import { openTcpProxy } from '../faults/tcp-proxy.ts';

export type HoldingProxy = {
  /** The target's URL with the proxy's address. */
  url: string;
  /** Resolves when a response is held back for the first time. */
  held: Promise<void>;
  /** Forwards everything that was held, and all further responses. */
  release(): void;
  close(): void;
};

/** A proxy that forwards this many bytes of each connection's responses, and holds the rest back until released. */
export async function openHoldingProxy(targetUrl: string, bytesMax: number): Promise<HoldingProxy> {
  const target = new URL(targetUrl);
  const { promise: held, resolve: onHeld } = Promise.withResolvers<void>();
  const paused = new Set<Socket>();
  let isHolding = true;

  const { address, close } = await openTcpProxy(target, (near, far) => {
    let passedBytes = 0;
    near.pipe(far);
    far.on('data', (chunk: Buffer) => {
      const room = isHolding ? bytesMax - passedBytes : chunk.length;
      const passed = chunk.subarray(0, room);
      near.write(passed);
      passedBytes += passed.length;
      if (passed.length === chunk.length) return;
      far.pause();
      far.unshift(chunk.subarray(room));
      paused.add(far);
      onHeld();
    });
    far.on('end', () => near.end());
  });
  return {
    url: targetUrl.replace(target.host, address),
    held,
    release() {
      isHolding = false;
      for (const socket of paused) socket.resume();
    },
    close,
  };
}
