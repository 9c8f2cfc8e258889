import { z } from 'zod';
import type { Call, Reply } from '#call/call.ts';
import { cutPage, decodeCursor } from '#call/cursor.ts';
import type { Handles } from '#platform/handles.ts';
import { presentVersion } from '../present.ts';
import { requireSubmission } from '../require-submission.ts';
import { listVersions as findVersions } from '../store.ts';

const versionPosition = z.object({ versionGroupId: z.guid(), versionNumber: z.int32() });

/** §4.9: every version of every version group of the submission's assets, including its own. */
export async function listVersions(
  { caller, params: { submissionId }, query }: Call<'listVersions'>,
  { db }: Handles,
): Promise<Reply<'listVersions'>> {
  const after = decodeCursor(query.cursor, versionPosition);
  const rows = await findVersions(db, caller.workspaceId, submissionId, after, query.limit + 1);
  if (rows.length === 0) await requireSubmission(db, caller.workspaceId, submissionId);
  const { items, ...page } = cutPage(rows, query.limit, ({ version_group_id, version_number }) => ({
    versionGroupId: version_group_id,
    versionNumber: version_number,
  }));
  return { submissionId, versions: items.map(presentVersion), ...page };
}
