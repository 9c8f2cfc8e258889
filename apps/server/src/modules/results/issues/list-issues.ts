import { z } from 'zod';
import type { Call, Reply } from '#call/call.ts';
import { cutPage, decodeCursor } from '#call/cursor.ts';
import { requireFinishedAsset } from '#modules/submissions/require-asset.ts';
import type { Handles } from '#platform/handles.ts';
import { presentIssue } from '../present.ts';
import { pageIssues } from '../store.ts';

/** §4.6 */
export async function listIssues(
  { caller, params, query, prefix }: Call<'listIssues'>,
  { db }: Handles,
): Promise<Reply<'listIssues'>> {
  const afterNumber = decodeCursor(query.cursor, z.int32()) ?? 0;
  await requireFinishedAsset(db, caller.workspaceId, params);
  const filter = {
    severities: query.severity,
    statuses: query.status,
    sidekickIds: query.sidekickId,
    ruleCodes: query.ruleCode,
  };
  const bounds = { afterNumber, limit: query.limit + 1 };
  const { rows, totalCount } = await pageIssues(db, caller.workspaceId, params, filter, bounds);
  const { items, ...page } = cutPage(rows, query.limit, ({ referenceNumber }) => referenceNumber);
  return { ...params, issues: items.map((row) => presentIssue(row, params, prefix)), totalCount, ...page };
}
