import { Client, Connection } from '@temporalio/client';
import { findTransportFailure } from './find-transport-failure.ts';
import type { EngineSecurity } from './security.ts';

export type Workflows = {
  connection: Connection;
  client: Client;
  namespace: string;
  address: string;
  security: EngineSecurity;
  /** Prefix of every queue name, so that several services can share a namespace. */
  queuePrefix: string;
};

/** Connects lazily: the API serves reads while the engine is down. */
export function openWorkflows(
  address: string,
  namespace: string,
  queuePrefix: string,
  security: EngineSecurity = {},
): Workflows {
  const connection = Connection.lazy({ address, connectTimeout: 2000, ...security });
  return { connection, client: new Client({ connection, namespace }), namespace, address, security, queuePrefix };
}

/** Health check: resolves when the engine responds. */
export async function checkWorkflows({ connection, namespace, address, security }: Workflows): Promise<void> {
  try {
    await connection.withDeadline(Date.now() + 2000, () => connection.workflowService.describeNamespace({ namespace }));
  } catch (error) {
    throw (await findTransportFailure(address, security)) ?? error;
  }
}
