import { asActivity } from '../handles/as-activity.ts';
import type { Handles } from '../handles/handles.ts';
import { beginAssets, completeRehearsal, lockSubmission, refreshStatus } from '../submissions/progress-store.ts';
import type { Run } from '../submissions/run-store.ts';

type Rehearsal = Omit<Run, 'delaySeconds'>;

export type Rehearsing = {
  beginRehearsal(run: Rehearsal): Promise<void>;
  endRehearsal(run: Rehearsal): Promise<void>;
};

/** §8.3: no mocked output, so no issue count, no checks, no charge. */
export function createRehearsing({ db, clock, log }: Handles): Rehearsing {
  return {
    beginRehearsal: asActivity(log, (_, { workspaceId, submissionId, assets }) =>
      beginAssets(db, workspaceId, submissionId, assets),
    ),
    endRehearsal: asActivity(log, async (_, { workspaceId, submissionId, assets }) => {
      if (await completeRehearsal(db, workspaceId, submissionId, assets, clock.now())) return;
      await db.transaction().execute(async (transaction) => {
        await lockSubmission(transaction, workspaceId, submissionId);
        await refreshStatus(transaction, workspaceId, submissionId);
      });
    }),
  };
}
