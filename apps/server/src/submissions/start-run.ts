import type { Tier } from '@assay/contract/limits.ts';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { Handles } from '../handles/handles.ts';
import { type DueRun, forgetStartedRun, type Run } from './run-store.ts';

/** The id under which the engine runs it, so that an operator finds it there. */
export function workflowIdOf({ submissionId, run }: Pick<Run, 'submissionId' | 'run'>): string {
  return `submission:${submissionId}:${run}`;
}

// A rehearsal has a queue of its own: it never takes a turn from live work.
const storyOf = {
  live: { workflow: 'analyseSubmission', taskQueue: 'control' },
  sandbox: { workflow: 'rehearseSubmission', taskQueue: 'sandbox' },
} as const;

/** 1 goes first, 5 last. */
const priorityOf: Record<Tier, number> = { enterprise: 2, pro: 3, starter: 4, free: 5 };

const startMillisMax = 1500;

/** What is committed is accepted: what the engine does not take now, the sweeper hands over later. */
export async function startRunNow(handles: Handles, due: DueRun): Promise<void> {
  await startRun(handles, due).catch((error) =>
    handles.log.warn(
      { err: error, submissionId: due.submissionId },
      'a run waits for the sweeper, as the engine did not take it',
    ),
  );
}

/** Hands a committed run to the engine. Handing it over twice is the same as once: the id is the run's own. */
export async function startRun({ workflows, db, log }: Handles, due: DueRun): Promise<void> {
  const { mode, tier, ...run } = due;
  const { workflow, taskQueue } = storyOf[mode];
  const options = {
    workflowId: workflowIdOf(run),
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    taskQueue: workflows.queuePrefix + taskQueue,
    args: [run],
    // A workspace with a long queue does not make the others wait behind it.
    priority: { priorityKey: priorityOf[tier], fairnessKey: run.workspaceId },
  } as const;
  try {
    await workflows.connection.withDeadline(Date.now() + startMillisMax, () =>
      workflows.client.workflow.start(workflow, options),
    );
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
  // Nobody waits for this: a run that is remembered for nothing is handed over again and found there.
  forgetStartedRun(db, run).catch((error) => log.warn({ err: error }, 'a started run was not forgotten'));
}
