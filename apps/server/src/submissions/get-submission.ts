import { Refusal } from '@assay/contract/refusals.ts';
import type { Call, Reply } from '../access/caller.ts';
import type { Handles } from '../handles/handles.ts';
import { presentSubmission } from './present.ts';
import { findSubmission } from './store.ts';

/** §4.4 */
export async function getSubmission(
  { caller, params }: Call<'getSubmission'>,
  { db }: Handles,
): Promise<Reply<'getSubmission'>> {
  const rows = await findSubmission(db, caller.workspaceId, params.submissionId);
  if (rows.length === 0) throw new Refusal('submission_not_found');
  return presentSubmission(rows);
}
