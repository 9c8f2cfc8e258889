import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** A process that runs until it is stopped. */
export type RunningProcess = { metricsUrl: string; stop(): Promise<void> };

export async function listen(server: FastifyInstance, host: string, port: number): Promise<string> {
  await server.listen({ host, port });
  const { address, family, port: actual } = server.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}`;
}
