import { randomUUIDv7 } from 'node:crypto';
import type { WorkspaceId } from '../access/caller.ts';
import type { Db } from '../handles/db.ts';
import { insertSubmission, type NewAsset, type NewSubmission, takeVersionNumbers } from './store.ts';

/** An asset that is the next version of this group, or the first of a new one. */
type DraftAsset = Omit<NewAsset, 'versionGroupId' | 'versionNumber'> & { continuesGroupId: string | null };
export type DraftSubmission = Omit<NewSubmission, 'assets'> & { assets: DraftAsset[] };

export async function commitSubmission(
  db: Db,
  workspaceId: WorkspaceId,
  draft: DraftSubmission,
): Promise<NewSubmission> {
  const continued = draft.assets.flatMap(({ continuesGroupId }) => continuesGroupId ?? []);
  const commit = async (at: Db) => {
    const numbers = continued.length > 0 ? await takeVersionNumbers(at, workspaceId, continued) : new Map();
    const assets = draft.assets.map(({ continuesGroupId, ...asset }) => ({
      ...asset,
      versionGroupId: continuesGroupId ?? randomUUIDv7(),
      versionNumber: continuesGroupId === null ? 1 : numbers.get(continuesGroupId),
    }));
    const submission = { ...draft, assets };
    await insertSubmission(at, workspaceId, submission);
    return submission;
  };
  // A number that was taken goes back if the rest fails; one statement alone is a transaction of its own.
  const isOneStatement = continued.length === 0 || db.isTransaction;
  return isOneStatement ? commit(db) : db.transaction().execute(commit);
}
