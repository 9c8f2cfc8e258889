import type { Call, Reply } from '#call/call.ts';
import { requireFinishedAsset } from '#modules/submissions/require-asset.ts';
import { findPreviousVersion } from '#modules/submissions/store.ts';
import type { Handles } from '#platform/handles.ts';
import { matchIssues } from '../matching/match-issues.ts';
import { presentCompactIssue } from '../present.ts';
import { findIssues } from '../store.ts';

export async function getChanges(
  { caller, params }: Call<'getChanges'>,
  { db }: Handles,
): Promise<Reply<'getChanges'>> {
  const asset = await requireFinishedAsset(db, caller.workspaceId, params);
  const version = { versionGroupId: asset.version_group_id, versionNumber: asset.version_number };
  // A simulated run checks nothing, so no issue counts as gone.
  const isSimulated = asset.issue_count === null;
  const previous = isSimulated ? undefined : await findPreviousVersion(db, caller.workspaceId, version);
  const before = previous ? await findIssues(db, caller.workspaceId, previous) : [];
  const now = await findIssues(db, caller.workspaceId, params);
  const keptFrom = matchIssues(before, now);
  const kept = new Set(keptFrom.values());
  return {
    ...params,
    versionNumber: asset.version_number,
    previous: previous ?? null,
    newIssues: now.filter((issue) => !keptFrom.has(issue)).map(presentCompactIssue),
    goneIssues: before.filter((issue) => !kept.has(issue)).map(presentCompactIssue),
    keptIssues: now.filter((issue) => keptFrom.has(issue)).map(presentCompactIssue),
  };
}
