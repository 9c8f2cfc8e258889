import { Refusal } from '@assay/contract/refusals.ts';
import type { WorkspaceId } from '#call/caller.ts';
import type { Db } from '#platform/postgres/db.ts';
import { findSubmission, type SubmissionRow } from './store.ts';

/** The rows of a submission, one per asset; 404 when it is not in the workspace. */
export async function requireSubmission(
  db: Db,
  workspaceId: WorkspaceId,
  submissionId: string,
): Promise<[SubmissionRow, ...SubmissionRow[]]> {
  const [first, ...rest] = await findSubmission(db, workspaceId, submissionId);
  if (!first) throw new Refusal('submission_not_found');
  return [first, ...rest];
}
