import { openTcpProxy } from './tcp-proxy.ts';

export type Tunnel = {
  /** Host and port, to be used instead of the target's. */
  address: string;
  /** Stops forwarding in both directions. Connections stay open, and new ones get no response. */
  cut(): void;
  /** Forwards again, including what was sent in the meantime, as if packets were retransmitted. */
  heal(): void;
  close(): void;
};

/** Simulates a network that can fail. */
export async function openTunnel(target: string): Promise<Tunnel> {
  let isCut = false;
  const { address, sockets, close } = await openTcpProxy(new URL(`tcp://${target}`), (near, far) => {
    near.on('data', (chunk) => void far.write(chunk));
    far.on('data', (chunk) => void near.write(chunk));
    near.on('end', () => far.end());
    far.on('end', () => near.end());
    if (isCut) for (const socket of [near, far]) socket.pause();
  });
  return {
    address,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.pause();
    },
    heal() {
      isCut = false;
      for (const socket of sockets) socket.resume();
    },
    close,
  };
}
