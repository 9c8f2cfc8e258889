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

/** The engine knows these activities by name, and recorded histories contain the names: they are not renamed. */
export type SimulationActivities = {
  beginRehearsal(run: SimulatedRun): Promise<void>;
  endRehearsal(run: SimulatedRun): Promise<void>;
};

/** §8.3: no mocked output, so no issue count, no checks, no charge. */
export function createSimulationActivities({ db, clock, log, realtime }: Handles): SimulationActivities {
  return {
    beginRehearsal: asActivity(log, async (_, { workspaceId, submissionId, assets }) => {
      await beginAssets(db, workspaceId, submissionId, assets);
      realtime.notify(channelOf(submissionId));
    }),
    endRehearsal: asActivity(log, async (_, { workspaceId, submissionId, run, assets }) => {
      // The first run has all assets, so one statement completes the submission; in a later run other assets count too.
      if (run === 1) await completeSimulatedRun(db, workspaceId, submissionId, assets, clock.now());
      else {
        await db.transaction().execute(async (transaction) => {
          await lockSubmission(transaction, workspaceId, submissionId);
          await completeSimulatedRun(transaction, workspaceId, submissionId, assets, clock.now());
          await refreshStatus(transaction, workspaceId, submissionId);
        });
      }
      realtime.notify(channelOf(submissionId));
    }),
  };
}
