import type { Call, Reply } from '../access/caller.ts';
import type { Handles } from '../handles/handles.ts';
import { presentSubmission } from './present.ts';
import { requireSubmission } from './require-submission.ts';

/** §4.4 */
export async function getSubmission(
  { caller, params }: Call<'getSubmission'>,
  { db }: Handles,
): Promise<Reply<'getSubmission'>> {
  return presentSubmission(await requireSubmission(db, caller.workspaceId, params.submissionId), caller.mode);
}
