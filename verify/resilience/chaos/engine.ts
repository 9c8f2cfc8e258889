import type { Config } from '@assay/server/config/config.ts';
import { Client, Connection } from '@temporalio/client';

const isOfSubmission = (workflowId: string) => workflowId.startsWith('submission:');
const listMillisMax = 20_000;
const deleteMillisMax = 5000;

export type Engine = ReturnType<typeof openEngine>;

/** Temporal, accessed as its operator. */
export function openEngine({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace }: Config) {
  const connection = Connection.lazy({ address });
  const client = new Client({ connection, namespace });

  async function listOpenRuns(): Promise<string[]> {
    const workflowIds: string[] = [];
    for await (const { workflowId } of client.workflow.list({ query: 'ExecutionStatus="Running"' }))
      if (isOfSubmission(workflowId)) workflowIds.push(workflowId);
    return workflowIds;
  }

  return {
    /**
     * Deletes every open workflow run of a submission, with its history, and returns how many there were. Runs of
     * deliveries stay: the service considers a delivery lost an hour after it was due, which is longer than a chaos
     * run.
     */
    async forgetRuns(): Promise<number> {
      // The list is complete before the first deletion: the service starts deleted runs again, so a list read meanwhile
      // might never end.
      const workflowIds = await connection.withDeadline(Date.now() + listMillisMax, listOpenRuns);
      let count = 0;
      for (const workflowId of workflowIds) {
        // Fails if the run has ended since it was listed, or if the engine has not recovered from the previous fault.
        const isDeleted = await connection
          .withDeadline(Date.now() + deleteMillisMax, () =>
            connection.workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId } }),
          )
          .then(() => true)
          .catch(() => false);
        if (isDeleted) count++;
      }
      return count;
    },
    close: () => connection.close(),
  };
}
