import { Refusal } from '@assay/contract/refusals.ts';
import type { WorkspaceId } from '#call/caller.ts';
import type { Db } from '#platform/postgres/db.ts';
import { type AssetRow, findAsset, findRevision } from './store.ts';

/** 404 for a submission that is not in the workspace, and for an asset that is not in the submission. */
export async function requireAsset(
  db: Db,
  workspaceId: WorkspaceId,
  { submissionId, assetId }: { submissionId: string; assetId: string },
): Promise<AssetRow> {
  const row = await findAsset(db, workspaceId, submissionId, assetId);
  if (row) return row;
  const submission = await findRevision(db, workspaceId, submissionId);
  throw new Refusal(submission ? 'asset_not_found' : 'submission_not_found');
}

/** §4.6, §4.7: 404 unless the asset is complete, because an empty list would look as if there were no issues. */
export async function requireFinishedAsset(...args: Parameters<typeof requireAsset>): Promise<AssetRow> {
  const asset = await requireAsset(...args);
  if (asset.status === 'failed') throw new Refusal('asset_failed');
  if (asset.status !== 'complete') throw new Refusal('asset_not_ready');
  return asset;
}
