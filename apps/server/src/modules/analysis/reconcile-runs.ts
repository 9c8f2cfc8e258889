import { WorkflowNotFoundError } from '@temporalio/client';
import {
  claimUnfinishedRuns,
  moveToNextRun,
  restartsMax,
  type UnfinishedRun,
} from '#modules/submissions/runs/reconcile-store.ts';
import { workflowIdOf } from '#modules/submissions/workflow-id.ts';
import type { Handles } from '#platform/handles.ts';
import { processRows } from '#platform/mechanisms/process-rows.ts';
import { runsRestarted } from './metrics.ts';
import { settle } from './settle.ts';

const claimedAtOnceMax = 100;
const callsAtOnceMax = 5;
// A longer timeout than in a request, because this is a background job.
const describeMillisMax = 5000;

/**
 * Compares the unfinished runs in the database with the engine. A run that the engine does not know or has closed
 * (terminated by hand, restored from a backup, history lost) is started again under the next run number, because the
 * engine never starts the same id twice. The attempt number stays the same: no retry was requested.
 */
export async function reconcileRuns(handles: Handles, afterSeconds: number, signal?: AbortSignal): Promise<void> {
  await processRows(
    handles,
    {
      name: 'reconcile-runs',
      batchSize: claimedAtOnceMax,
      atOnceMax: callsAtOnceMax,
      claim: (limit) => claimUnfinishedRuns(handles.db, afterSeconds, limit),
      act: async (claimed) => {
        for (const run of claimed.runs) {
          if (!(await isRunning(handles, { ...claimed, ...run }))) await restartRun(handles, { ...claimed, ...run });
        }
      },
      describe: ({ submissionId, runs }) => ({ submissionId, runs: runs.map(({ run }) => run) }),
    },
    signal,
  );
}

async function isRunning({ workflows }: Handles, run: UnfinishedRun): Promise<boolean> {
  try {
    const { status } = await workflows.connection.withDeadline(Date.now() + describeMillisMax, () =>
      workflows.client.workflow.getHandle(workflowIdOf(run)).describe(),
    );
    return status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

/**
 * Moves the unsettled assets to the next run, which the sweeper starts. Those of a live submission fail after too many
 * restarts; a simulated one never fails.
 */
async function restartRun(handles: Handles, run: UnfinishedRun): Promise<void> {
  const { workspaceId, submissionId, assets, restartCount, mode } = run;
  if (restartCount < restartsMax || mode === 'sandbox') {
    // None is left if the run has finished since it was claimed.
    if ((await moveToNextRun(handles.db, run)) === 0) return;
    runsRestarted(handles.metrics).inc();
    handles.log.warn(
      { submissionId, run: run.run, restartCount },
      'the engine lost a run; the sweeper starts it again',
    );
    return;
  }
  for (const asset of assets) await settle({ workspaceId, submissionId, ...asset }, 'engine_unavailable', handles);
  handles.log.error({ submissionId, run: run.run, restartCount }, 'the engine lost a run too often; its assets failed');
}
