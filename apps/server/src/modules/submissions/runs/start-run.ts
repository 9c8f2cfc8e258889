import type { Tier } from '@assay/contract/limits.ts';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { Handles } from '#platform/handles.ts';
import { workflowIdOf } from '../workflow-id.ts';
import { type DueRun, deleteStartedRun, type StartedRun } from './run-store.ts';

// Simulated runs have their own queue, so that they never delay live ones. The names must not change, because recorded
// histories contain them.
const workflowOf = {
  live: { workflow: 'analyseSubmission', taskQueue: 'control' },
  sandbox: { workflow: 'rehearseSubmission', taskQueue: 'sandbox' },
} as const;

/** 1 is the highest priority, 5 the lowest. */
const priorityOf: Record<Tier, number> = { enterprise: 2, pro: 3, starter: 4, free: 5 };

const startMillisMax = 1500;

/** A committed run is accepted: if the engine does not take it now, the sweeper starts it later. */
export async function startRunNow(handles: Handles, due: DueRun): Promise<void> {
  await startRun(handles, due).catch((error) =>
    handles.log.warn(
      { err: error, submissionId: due.submissionId },
      'the engine did not accept a run; the sweeper starts it',
    ),
  );
}

/** Starts a committed run in the engine. A second start has no effect, because the workflow id identifies the run. */
export async function startRun({ workflows, db, log }: Handles, due: DueRun): Promise<void> {
  const { mode, tier, ...run } = due;
  const { workflow, taskQueue } = workflowOf[mode];
  const options = {
    workflowId: workflowIdOf(run),
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    taskQueue: workflows.queuePrefix + taskQueue,
    args: [{ ...run, times: workflows.times } satisfies StartedRun],
    // Keeps a workspace with a long queue from delaying the others.
    priority: { priorityKey: priorityOf[tier], fairnessKey: run.workspaceId },
  } as const;
  try {
    await workflows.connection.withDeadline(Date.now() + startMillisMax, () =>
      workflows.client.workflow.start(workflow, options),
    );
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
  // Not awaited: a run whose row was not deleted is started again, which has no effect.
  deleteStartedRun(db, run).catch((error) =>
    log.warn({ err: error }, 'a started run is still in runs_to_start; the sweeper removes it'),
  );
}
