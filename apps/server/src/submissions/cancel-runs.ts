import { WorkflowNotFoundError } from '@temporalio/client';
import type { Handles } from '../handles/handles.ts';
import { type CancelledRun, forgetCancelledRun } from './run-store.ts';
import { workflowIdOf } from './start-run.ts';

const cancelMillisMax = 1500;

/** They are cancelled whether the engine hears of it now or from the sweeper later. */
export async function cancelRunsNow(handles: Handles, runs: CancelledRun[]): Promise<void> {
  await cancelRuns(handles, runs).catch((error) =>
    handles.log.warn({ err: error, runs }, 'a cancellation waits for the sweeper, as the engine did not take it'),
  );
}

/** Tells the engine to stop work that nobody waits for any more. */
export async function cancelRuns({ workflows, db }: Handles, runs: CancelledRun[]): Promise<void> {
  for (const run of runs) {
    try {
      await workflows.connection.withDeadline(Date.now() + cancelMillisMax, () =>
        workflows.client.workflow.getHandle(workflowIdOf(run)).cancel(),
      );
    } catch (error) {
      // It has ended, or was never started: then it finds nothing left to do.
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
    await forgetCancelledRun(db, run);
  }
}
