import { Refusal } from '@assay/contract/refusals.ts';
import type { WorkspaceId } from '#call/caller.ts';
import type { Db } from '#platform/postgres/db.ts';
import type { StoredSubmission } from './select-store.ts';
import { findSubmission } from './store.ts';

/** A submission with its assets; 404 when it is not in the workspace. */
export async function requireSubmission(
  db: Db,
  workspaceId: WorkspaceId,
  submissionId: string,
): Promise<StoredSubmission> {
  const submission = await findSubmission(db, workspaceId, submissionId);
  if (!submission) throw new Refusal('submission_not_found');
  return submission;
}
