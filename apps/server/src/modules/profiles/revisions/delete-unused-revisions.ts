import type { Handles } from '#platform/handles.ts';
import { processRows } from '#platform/mechanisms/process-rows.ts';
import {
  claimDeletedProfiles,
  type DeletedProfile,
  deleteUnreferenced,
  deleteWithoutRevisions,
} from './revision-store.ts';

const profilesAtOnceMax = 20;
const revisionsAtOnceMax = 100;
/**
 * How long a deleted profile is left alone, and how often it is checked. No submission is created with a deleted profile,
 * so by then every statement that may still refer to it is long committed.
 */
const checkedAfterMillis = 24 * 60 * 60_000;

/** Deletes revisions of deleted profiles that nothing refers to any more. */
export async function deleteUnusedRevisions(handles: Handles, signal?: AbortSignal): Promise<void> {
  const { db, clock } = handles;
  await processRows<DeletedProfile>(
    handles,
    {
      name: 'delete-unused-revisions',
      batchSize: profilesAtOnceMax,
      atOnceMax: 1,
      claim: (limit) => {
        const now = clock.now();
        return claimDeletedProfiles(db, now, new Date(now.getTime() - checkedAfterMillis), limit);
      },
      act: async (profile) => {
        while (!signal?.aborted && (await deleteUnreferenced(db, profile, revisionsAtOnceMax)));
        await deleteWithoutRevisions(db, profile);
      },
      describe: ({ profileId }) => ({ profileId }),
    },
    signal,
  );
}
