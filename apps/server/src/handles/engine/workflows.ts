import { Client, Connection } from '@temporalio/client';

export type Workflows = {
  connection: Connection;
  client: Client;
  namespace: string;
  /** Prefix of every queue name, so that several services can share a namespace. */
  queuePrefix: string;
};

/** Connects lazily: the API serves reads while the engine is down. */
export function openWorkflows(address: string, namespace: string, queuePrefix: string): Workflows {
  const connection = Connection.lazy({ address, connectTimeout: 2000 });
  return { connection, client: new Client({ connection, namespace }), namespace, queuePrefix };
}

/** Health check: resolves when the engine responds. */
export async function checkWorkflows({ connection, namespace }: Workflows): Promise<void> {
  await connection.withDeadline(Date.now() + 2000, () => connection.workflowService.describeNamespace({ namespace }));
}
