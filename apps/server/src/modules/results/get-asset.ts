import type { Call, Reply } from '#call/call.ts';
import { requireAsset } from '#modules/submissions/require-asset.ts';
import type { Handles } from '#platform/handles.ts';
import { presentAsset } from './present-asset.ts';
import { findIssues } from './store.ts';

/** §4.5: an asset can always be read; it has no issues and no issue count until it is complete. */
export async function getAsset(
  { caller, params, prefix }: Call<'getAsset'>,
  { db }: Handles,
): Promise<Reply<'getAsset'>> {
  const asset = await requireAsset(db, caller.workspaceId, params);
  const issues = asset.issue_count ? await findIssues(db, caller.workspaceId, params) : [];
  return presentAsset(asset, issues, caller.mode, prefix);
}
