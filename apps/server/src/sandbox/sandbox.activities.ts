import { asActivity } from '../handles/as-activity.ts';
import type { Handles } from '../handles/handles.ts';
import { channelOf } from '../submissions/present.ts';
import { beginAssets, completeRehearsal, lockSubmission, refreshStatus } from '../submissions/progress-store.ts';
import type { Run } from '../submissions/run-store.ts';

type Rehearsal = Omit<Run, 'delaySeconds'>;

export type Rehearsing = {
  beginRehearsal(run: Rehearsal): Promise<void>;
  endRehearsal(run: Rehearsal): Promise<void>;
};

/** §8.3: no mocked output, so no issue count, no checks, no charge. */
export function createRehearsing({ db, clock, log, realtime }: Handles): Rehearsing {
  return {
    beginRehearsal: asActivity(log, async (_, { workspaceId, submissionId, assets }) => {
      await beginAssets(db, workspaceId, submissionId, assets);
      realtime.announce(channelOf(submissionId));
    }),
    endRehearsal: asActivity(log, async (_, { workspaceId, submissionId, run, assets }) => {
      // The first run holds all assets, so one statement ends the submission with them; later the others have a say.
      if (run === 1) await completeRehearsal(db, workspaceId, submissionId, assets, clock.now());
      else {
        await db.transaction().execute(async (transaction) => {
          await lockSubmission(transaction, workspaceId, submissionId);
          await completeRehearsal(transaction, workspaceId, submissionId, assets, clock.now());
          await refreshStatus(transaction, workspaceId, submissionId);
        });
      }
      realtime.announce(channelOf(submissionId));
    }),
  };
}
