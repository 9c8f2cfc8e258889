import type { Media } from '@assay/contract/schemas/media.ts';
import type { AssetResult } from '@assay/contract/schemas/result.ts';
import { findSidekick } from '@assay/sidekicks/sidekick/catalogue.ts';
import type { Mode } from '#call/caller.ts';
import { presentPin } from '#modules/profiles/find-profile.ts';
import { presentFailure } from '#modules/submissions/present.ts';
import type { AssetRow } from '#modules/submissions/store.ts';
import type { StoredCheck } from '#modules/submissions/stored-check.ts';
import type { StoredMedia } from '#modules/submissions/stored-media.ts';
import { presentVerdict, toJudgedCheck } from './judge-asset.ts';
import { presentCompactIssue } from './present.ts';
import type { IssueRow } from './store.ts';

/**
 * §2.3: the asset with its issues. `viewer` is the mode of the API key that reads it, `prefix` the path prefix of the
 * request, which the links in the response get too.
 */
export function presentAsset(asset: AssetRow, issues: readonly IssueRow[], viewer: Mode, prefix: string): AssetResult {
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
    ...presentFailure(asset, viewer),
    createdAt: asset.created_at.toISOString(),
    completedAt: asset.completed_at?.toISOString() ?? null,
    ...presentVerdict(asset, issues, presentPin(asset)),
    media: asset.media && presentMedia(asset, asset.media, prefix),
    checks: asset.checks.map((check) => presentCheck(check, issues)),
  };
}

function presentMedia(asset: AssetRow, { poster, ...facts }: StoredMedia, prefix: string): Media {
  const url = `${prefix}/submissions/${asset.submission_id}/assets/${asset.asset_id}/poster`;
  return { ...facts, poster: poster && { url, timeMs: poster.timeMs } };
}

// The name of a sidekick is looked up when a check is read: only its id is stored, because the name may change.
function presentCheck(check: StoredCheck, issues: readonly IssueRow[]): AssetResult['checks'][number] {
  const { sidekickId, profileRevision = 1, reason = null, coverage = null, measured = null } = check;
  const { shortName, notVerifiedRuleCode, omittedSeverityCounts } = toJudgedCheck(check);
  return {
    ...check,
    sidekickName: findSidekick(sidekickId)?.name ?? sidekickId,
    shortName,
    profileRevision,
    reason,
    coverage,
    measured,
    notVerifiedRuleCode,
    issueCount: issues.filter((issue) => issue.sidekickId === sidekickId).length,
    omittedSeverityCounts,
  };
}
