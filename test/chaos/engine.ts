import type { Config } from '@assay/server/config.ts';
import { Client, Connection } from '@temporalio/client';

const isOfSubmission = (workflowId: string) => workflowId.startsWith('submission:');

export type Engine = ReturnType<typeof openEngine>;

/** Temporal, accessed as its operator. */
export function openEngine({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace }: Config) {
  const connection = Connection.lazy({ address });
  const client = new Client({ connection, namespace });
  return {
    /**
     * Deletes every open run with its history and returns how many. Deliveries stay: the service treats one as lost an
     * hour after it was due, which is longer than a run of this suite.
     */
    async forgetRuns(): Promise<number> {
      let count = 0;
      for await (const { workflowId } of client.workflow.list({ query: 'ExecutionStatus="Running"' })) {
        if (!isOfSubmission(workflowId)) continue;
        // It may have ended since it was listed, or the engine has not recovered from the previous fault.
        const isDeleted = await connection.workflowService
          .deleteWorkflowExecution({ namespace, workflowExecution: { workflowId } })
          .then(() => true)
          .catch(() => false);
        if (isDeleted) count++;
      }
      return count;
    },
    close: () => connection.close(),
  };
}
