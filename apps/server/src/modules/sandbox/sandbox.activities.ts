import { channelOf } from '#modules/submissions/present.ts';
import {
  beginAssets,
  completeSimulatedRun,
  lockSubmission,
  refreshStatus,
} from '#modules/submissions/progress-store.ts';
import type { Run } from '#modules/submissions/runs/run-store.ts';
import type { Handles } from '#platform/handles.ts';
import { asActivity } from '#platform/temporal/as-activity.ts';

type SimulatedRun = Omit<Run, 'delaySeconds'>;

/** These activities must not be renamed, because recorded workflow histories contain their names. */
export type SimulationActivities = {
  beginRehearsal(run: SimulatedRun): Promise<void>;
  endRehearsal(run: SimulatedRun): Promise<void>;
};

/** §8.3: a simulated run has no mocked output, so no issue count and no checks, and is not charged. */
export function createSimulationActivities({ db, log, realtime }: Handles): SimulationActivities {
  return {
    beginRehearsal: asActivity(log, async (_, { workspaceId, submissionId, assets }) => {
      await beginAssets(db, workspaceId, submissionId, 'sandbox', assets);
      realtime.notify(channelOf(submissionId));
    }),
    endRehearsal: asActivity(log, async (_, { workspaceId, submissionId, run, assets }) => {
      // The first run has all assets, so one statement also completes the submission. After a later run, the status of
      // the submission also depends on the assets of other runs.
      if (run === 1) await completeSimulatedRun(db, workspaceId, submissionId, assets);
      else {
        await db.transaction().execute(async (transaction) => {
          await lockSubmission(transaction, workspaceId, submissionId);
          await completeSimulatedRun(transaction, workspaceId, submissionId, assets);
          await refreshStatus(transaction, workspaceId, submissionId, 'sandbox');
        });
      }
      realtime.notify(channelOf(submissionId));
    }),
  };
}
