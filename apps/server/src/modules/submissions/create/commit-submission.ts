import { randomUUIDv7 } from 'node:crypto';
import type { WorkspaceId } from '#call/caller.ts';
import type { Db } from '#platform/postgres/db.ts';
import { allocateVersionNumbers, insertSubmission, type NewAsset, type NewSubmission } from '../store.ts';
import type { PreviousVersion } from '../versions/previous-version.ts';

/** An asset that is the next version of another, or the first of a new version group. */
type DraftAsset = Omit<NewAsset, 'versionGroupId' | 'versionNumber' | 'previousAssetId' | 'matchedBy'> & {
  previous: PreviousVersion | null;
};
export type DraftSubmission = Omit<NewSubmission, 'assets'> & { assets: DraftAsset[] };

/** `refuseMissing` is called, and must throw, if a blob was purged or the profile deleted since they were read. */
export async function commitSubmission(
  db: Db,
  workspaceId: WorkspaceId,
  draft: DraftSubmission,
  refuseMissing: (db: Db) => Promise<never>,
): Promise<NewSubmission> {
  const continued = draft.assets.flatMap(({ previous }) => previous?.versionGroupId ?? []);
  const commit = async (at: Db) => {
    const numbers = continued.length > 0 ? await allocateVersionNumbers(at, workspaceId, continued) : new Map();
    const assets = draft.assets.map(({ previous, ...asset }) => ({
      ...asset,
      versionGroupId: previous?.versionGroupId ?? randomUUIDv7(),
      versionNumber: previous ? numbers.get(previous.versionGroupId) : 1,
      previousAssetId: previous?.assetId ?? null,
      matchedBy: previous?.matchedBy ?? null,
    }));
    const submission = { ...draft, assets };
    if (!(await insertSubmission(at, workspaceId, submission))) await refuseMissing(at);
    return submission;
  };
  // The transaction rolls allocated numbers back if the insert fails; a single statement needs no transaction.
  const isOneStatement = continued.length === 0 || db.isTransaction;
  return isOneStatement ? commit(db) : db.transaction().execute(commit);
}
