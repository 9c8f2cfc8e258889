import type { Socket } from 'node:net';
import { openTcpProxy } from './tcp-proxy.ts';

export type Hold = {
  /** The same address, with the proxy in place of what it stands before. */
  url: string;
  /** Resolves when an answer was cut short for the first time. */
  held: Promise<void>;
  /** From now on everything goes through. */
  release(): void;
  close(): void;
};

/** Passes on so many bytes of each connection's answers, and keeps the rest back. */
export async function openHold(targetUrl: string, bytesMax: number): Promise<Hold> {
  const target = new URL(targetUrl);
  const { promise: held, resolve: tellHeld } = Promise.withResolvers<void>();
  const paused = new Set<Socket>();
  let isHolding = true;

  const { address, close } = await openTcpProxy(target, (near, far) => {
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
