import { findSidekick } from '@assay/sidekicks/sidekick/catalogue.ts';
import type { Call, Reply } from '#call/call.ts';
import { presentFailure } from '#modules/submissions/present.ts';
import { requireAsset } from '#modules/submissions/require-asset.ts';
import type { Handles } from '#platform/handles.ts';
import { presentCompactIssue } from './present.ts';
import { findIssues, type IssueRow } from './store.ts';

type AssetCheck = Reply<'getAsset'>['checks'][number];
/** A check as stored with the asset. Checks stored before profiles had revisions lack the revision. */
type StoredCheck = Omit<AssetCheck, 'sidekickName' | 'issueCount' | 'profileRevision'> & { profileRevision?: number };

/** §4.5: an asset can always be read; it has no issues and no issue count until it is complete. */
export async function getAsset({ caller, params }: Call<'getAsset'>, { db }: Handles): Promise<Reply<'getAsset'>> {
  const asset = await requireAsset(db, caller.workspaceId, params);
  const issues = asset.issue_count ? await findIssues(db, caller.workspaceId, params) : [];
  return {
    assetId: asset.asset_id,
    submissionId: asset.submission_id,
    filename: asset.filename,
    status: asset.status,
    issues: issues.map(presentCompactIssue),
    mimeType: asset.content_type,
    issueCount: asset.issue_count,
    versionNumber: asset.version_number,
    versionGroupId: asset.version_group_id,
    sizeBytes: Number(asset.size_bytes),
    contentSha256: asset.content_sha256?.toString('hex') ?? null,
    progressPercent: asset.progress_percent,
    ...presentFailure(asset, caller.mode),
    createdAt: asset.created_at.toISOString(),
    completedAt: asset.completed_at?.toISOString() ?? null,
    checks: (asset.checks as StoredCheck[]).map((check) => presentCheck(check, issues)),
  };
}

// The name of a sidekick is looked up when a check is read: only its id is stored, because the name may change.
function presentCheck(check: StoredCheck, issues: readonly IssueRow[]): AssetCheck {
  const { sidekickId, profileRevision = 1 } = check;
  const sidekickName = findSidekick(sidekickId)?.name ?? sidekickId;
  const issueCount = issues.filter((issue) => issue.sidekickId === sidekickId).length;
  return { ...check, sidekickName, profileRevision, issueCount };
}
