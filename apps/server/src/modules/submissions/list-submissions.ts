import { statuses } from '@assay/contract/schemas/submission.ts';
import { z } from 'zod';
import type { Call, Reply } from '#call/call.ts';
import type { Mode } from '#call/caller.ts';
import { cutPage, decodeCursor } from '#call/cursor.ts';
import type { Handles } from '#platform/handles.ts';
import { idFloor } from '#platform/postgres/id-floor.ts';
import { presentSubmission } from './present.ts';
import { listSubmissions as findSubmissions } from './store.ts';

const modesOf = { live: ['live'], sandbox: ['sandbox'], all: ['live', 'sandbox'] } satisfies Record<string, Mode[]>;

/** Lists submissions of the caller's own mode unless the query names a different one. */
export async function listSubmissions(
  { caller, query }: Call<'listSubmissions'>,
  { db }: Handles,
): Promise<Reply<'listSubmissions'>> {
  const after = query.createdAfter && new Date(Date.parse(query.createdAfter) + 1);
  const before = query.createdBefore && new Date(query.createdBefore);
  const bounds = [decodeCursor(query.cursor, z.guid()), before && idFloor(before)].filter(
    (bound) => bound !== undefined,
  );
  const found = await findSubmissions(db, caller.workspaceId, {
    modes: modesOf[query.mode ?? caller.mode],
    statuses: [...new Set(query.status ?? statuses)],
    fromId: after && idFloor(after),
    beforeId: bounds.sort()[0],
    limit: query.limit + 1,
  });
  const { items, ...page } = cutPage(found, query.limit, (submission) => submission.submission_id);
  return { submissions: items.map((submission) => presentSubmission(submission, caller.mode)), ...page };
}
