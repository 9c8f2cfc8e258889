import { WorkflowNotFoundError } from '@temporalio/client';
import type { Handles } from '#platform/handles.ts';
import { workflowIdOf } from '../workflow-id.ts';
import { type CancelledRun, deleteCancelledRun } from './run-store.ts';

const cancelMillisMax = 1500;

/** If the engine does not accept a cancellation now, the sweeper repeats it; the runs count as cancelled anyway. */
export async function cancelRunsNow(handles: Handles, runs: CancelledRun[]): Promise<void> {
  const cancelAll = async () => {
    for (const run of runs) await cancelRun(handles, run);
  };
  await cancelAll().catch((error) =>
    handles.log.warn({ err: error, runs }, 'the engine did not accept a cancellation; the sweeper repeats it'),
  );
}

/** Tells the engine to stop a cancelled run. */
export async function cancelRun({ workflows, db }: Handles, run: CancelledRun): Promise<void> {
  try {
    await workflows.connection.withDeadline(Date.now() + cancelMillisMax, () =>
      workflows.client.workflow.getHandle(workflowIdOf(run)).cancel(),
    );
  } catch (error) {
    // The run has finished or was never started, so there is nothing to cancel.
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
  await deleteCancelledRun(db, run);
}
