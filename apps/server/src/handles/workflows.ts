import { Connection } from '@temporalio/client';

export type Workflows = { connection: Connection; namespace: string };

/** Connects lazily: the API answers reads while the engine is down. */
export function openWorkflows(address: string, namespace: string): Workflows {
  const connection = Connection.lazy({ address, connectTimeout: 2000 });
  return { connection, namespace };
}

export async function askWorkflows({ connection, namespace }: Workflows): Promise<void> {
  await connection.withDeadline(Date.now() + 2000, () => connection.workflowService.describeNamespace({ namespace }));
}
