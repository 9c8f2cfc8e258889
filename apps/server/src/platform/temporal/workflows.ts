import { Client, Connection } from '@temporalio/client';
import { findTransportFailure } from './find-transport-failure.ts';
import type { EngineSecurity } from './security.ts';

/** How the engine treats work that fails or is lost. Part of the input of each run: a workflow has no configuration. */
export type EngineTimes = {
  /** A worker that sends no heartbeat for this long counts as dead, and another worker gets its work. */
  lostAfterSeconds: number;
  /** The longest pause before failed work is tried again. */
  retrySecondsMax: number;
};

export type Workflows = {
  connection: Connection;
  client: Client;
  namespace: string;
  address: string;
  security: EngineSecurity;
  /** Prefix of every queue name, so that several services can share a namespace. */
  queuePrefix: string;
  times: EngineTimes;
};

/** Connects lazily, so that the API can serve reads while the engine is down. */
export function openWorkflows(
  address: string,
  namespace: string,
  queuePrefix: string,
  times: EngineTimes,
  security: EngineSecurity = {},
): Workflows {
  const connection = Connection.lazy({ address, connectTimeout: 2000, ...security });
  const client = new Client({ connection, namespace });
  return { connection, client, namespace, address, security, queuePrefix, times };
}

/** Health check: resolves when the engine responds. */
export async function checkWorkflows({ connection, namespace, address, security }: Workflows): Promise<void> {
  try {
    await connection.withDeadline(Date.now() + 2000, () => connection.workflowService.describeNamespace({ namespace }));
  } catch (error) {
    throw (await findTransportFailure(address, security)) ?? error;
  }
}
