import { Client, Connection } from '@temporalio/client';

export type Workflows = {
  connection: Connection;
  client: Client;
  namespace: string;
  /** Stands before the name of every queue, so that several services can share a namespace. */
  queuePrefix: string;
};

/** Connects lazily: the API answers reads while the engine is down. */
export function openWorkflows(address: string, namespace: string, queuePrefix: string): Workflows {
  const connection = Connection.lazy({ address, connectTimeout: 2000 });
  return { connection, client: new Client({ connection, namespace }), namespace, queuePrefix };
}

export async function askWorkflows({ connection, namespace }: Workflows): Promise<void> {
  await connection.withDeadline(Date.now() + 2000, () => connection.workflowService.describeNamespace({ namespace }));
}
