import { WorkflowNotFoundError } from '@temporalio/client';
import type { Handles } from '#platform/handles.ts';
import { workflowIdOf } from '../workflow-id.ts';
import { type CancelledRun, deleteCancelledRun } from './run-store.ts';

const cancelMillisMax = 1500;

/** If the engine cannot be told now, the sweeper tells it later; the runs are cancelled in either case. */
export async function cancelRunsNow(handles: Handles, runs: CancelledRun[]): Promise<void> {
  await cancelRuns(handles, runs).catch((error) =>
    handles.log.warn({ err: error, runs }, 'the engine did not accept a cancellation; the sweeper repeats it'),
  );
}

/** Tells the engine to stop cancelled runs. */
export async function cancelRuns({ workflows, db }: Handles, runs: CancelledRun[]): Promise<void> {
  for (const run of runs) {
    try {
      await workflows.connection.withDeadline(Date.now() + cancelMillisMax, () =>
        workflows.client.workflow.getHandle(workflowIdOf(run)).cancel(),
      );
    } catch (error) {
      // It has finished or was never started: there is nothing to cancel.
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
    await deleteCancelledRun(db, run);
  }
}
