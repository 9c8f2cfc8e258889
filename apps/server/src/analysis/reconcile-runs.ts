import { WorkflowNotFoundError } from '@temporalio/client';
import type { Handles } from '../handles/handles.ts';
import { claimUnfinishedRuns, moveToNextRun, restartsMax, type UnfinishedRun } from '../submissions/reconcile-store.ts';
import { workflowIdOf } from '../submissions/start-run.ts';
import { settle } from './settle.ts';

const claimedAtOnceMax = 100;
// Nobody waits for it.
const describeMillisMax = 5000;

/**
 * Compares what the database calls unfinished with the engine. A run that the engine does not know, or has closed
 * (terminated by hand, restored from a backup, its history lost), is started again under the next run number, as the
 * engine never starts the same id twice. The attempt stays the same: nobody asked for a retry.
 */
export async function reconcileRuns(handles: Handles, afterSeconds: number): Promise<void> {
  for (;;) {
    const claimed = await claimUnfinishedRuns(handles.db, afterSeconds, claimedAtOnceMax);
    for (const run of claimed) {
      if (!(await isUnderWay(handles, run))) await restart(handles, run);
    }
    if (claimed.length < claimedAtOnceMax) return;
  }
}

async function isUnderWay({ workflows }: Handles, run: UnfinishedRun): Promise<boolean> {
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

/** The sweeper hands the next run to the engine. Assets that were settled meanwhile stay as they are. */
async function restart(handles: Handles, run: UnfinishedRun): Promise<void> {
  const { workspaceId, submissionId, assets, restartCount } = run;
  if (restartCount < restartsMax) {
    await moveToNextRun(handles.db, run);
    handles.metrics.runsRestarted.inc();
    handles.log.warn({ submissionId, run: run.run, restartCount }, 'the engine has lost a run; it is started again');
    return;
  }
  for (const asset of assets) await settle({ workspaceId, submissionId, ...asset }, 'engine_unavailable', handles);
  handles.log.error({ submissionId, run: run.run, restartCount }, 'the engine lost a run too often; its assets failed');
}
