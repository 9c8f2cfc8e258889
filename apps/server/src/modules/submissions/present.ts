import { failureOf, retryAdvice } from '@assay/contract/asset-failures.ts';
import type { AssetStatus, Submission } from '@assay/contract/schemas/submission.ts';
import type { Mode } from '#call/caller.ts';
import { presentPin } from '#modules/profiles/find-profile.ts';
import { assetVerdict, submissionVerdict } from './judgement.ts';
import type { StoredAsset, StoredSubmission } from './select-store.ts';
import { isRetryable, retryCount, submissionErrorMessage, submissionProgress, submissionStatus } from './status.ts';
import type { AssetRow, NewSubmission, VersionRow } from './store.ts';
import { workflowIdOf } from './workflow-id.ts';

/** §2.1. `viewer` is the mode of the API key that reads it. */
export function presentSubmission(submission: StoredSubmission, viewer: Mode): Submission {
  const { mode } = submission;
  const assets = submission.assets.map((asset) => presentAssetStatus({ ...asset, mode }, viewer));
  return {
    submissionId: submission.submission_id,
    workflowId: workflowIdOf({ submissionId: submission.submission_id, run: submission.run }),
    workspaceId: submission.workspace_id,
    mode,
    status: submissionStatus(submission.assets.map((asset) => asset.status)),
    progressPercent: submissionProgress(assets),
    createdAt: submission.created_at.toISOString(),
    completedAt: submission.completed_at?.toISOString() ?? null,
    errorMessage: submissionErrorMessage(submission.assets),
    isRetryable: assets.some((asset) => asset.isRetryable),
    ...submissionVerdict(assets),
    profile: presentPin(submission),
    metadata: submission.metadata,
    assets,
  };
}

/** §4.3: the response to a creation. */
export function presentCreated({ submissionId, assets }: NewSubmission) {
  return {
    submissionId,
    workflowId: workflowIdOf({ submissionId, run: 1 }),
    realtimeChannel: channelOf(submissionId),
    status: 'submitted' as const,
    assets: assets.map(({ assetId, versionGroupId, versionNumber, previousAssetId, matchedBy }) => ({
      assetId,
      versionGroupId,
      versionNumber,
      previousAssetId,
      matchedBy,
    })),
  };
}

/** Adds the members about previous versions to responses that the previous release stored without them. */
export function withPreviousVersionMembers(response: ReturnType<typeof presentRetried>) {
  return { ...response, assets: response.assets.map((asset) => ({ ...noPreviousVersion, ...asset })) };
}

const noPreviousVersion = { previousAssetId: null, matchedBy: null };

/** §4.8: a retry has the same response as a creation. */
export function presentRetried(submission: StoredSubmission, viewer: Mode) {
  const { submissionId, workflowId, status } = presentSubmission(submission, viewer);
  return {
    submissionId,
    workflowId,
    realtimeChannel: channelOf(submissionId),
    status,
    assets: submission.assets.map((asset) => ({
      assetId: asset.asset_id,
      versionGroupId: asset.version_group_id,
      versionNumber: asset.version_number,
      previousAssetId: asset.previous_asset_id,
      matchedBy: asset.matched_by,
    })),
  };
}

/** §6f: the channel of a submission's changes. */
export function channelOf(submissionId: string): string {
  return `submission.${submissionId}`;
}

// §2.2
function presentAssetStatus(row: StoredAsset & { mode: Mode }, viewer: Mode): AssetStatus {
  return {
    assetId: row.asset_id,
    versionGroupId: row.version_group_id,
    versionNumber: row.version_number,
    filename: row.filename,
    status: row.status,
    progressPercent: row.progress_percent,
    issueCount: row.issue_count,
    ...assetVerdict(row),
    ...presentFailure(row, viewer),
  };
}

/** §2.2: the failure fields, which are members of the asset itself. */
export function presentFailure(row: Pick<AssetRow, 'error_type' | 'attempt' | 'mode'>, viewer: Mode) {
  const failure = { errorType: row.error_type, attempt: row.attempt };
  return {
    errorMessage: errorMessageOf(row, viewer),
    errorType: row.error_type,
    isRetryable: isRetryable(failure) && mayChange(row, viewer),
    retryCount: retryCount(failure),
  };
}

function errorMessageOf(row: Pick<AssetRow, 'error_type' | 'attempt' | 'mode'>, viewer: Mode): string | null {
  if (!row.error_type) return null;
  const { message, isRetryable: isRetryableByType } = failureOf(row.error_type);
  if (!isRetryableByType) return message;
  const hasRetriesLeft = isRetryable({ errorType: row.error_type, attempt: row.attempt });
  const advice = !hasRetriesLeft ? 'limit reached' : mayChange(row, viewer) ? 'retryable' : 'needs live key';
  return `${message} ${retryAdvice[advice]}`;
}

/** A sandbox key reads live submissions, and changes only what a sandbox key created. */
function mayChange({ mode }: { mode: Mode }, viewer: Mode): boolean {
  return mode === 'sandbox' || viewer === 'live';
}

export function presentVersion(row: VersionRow) {
  return {
    versionGroupId: row.version_group_id,
    versionNumber: row.version_number,
    submissionId: row.submission_id,
    mode: row.mode,
    assetId: row.asset_id,
    filename: row.filename,
    status: row.status,
    issueCount: row.issue_count,
    ...assetVerdict(row),
    createdAt: row.created_at.toISOString(),
    completedAt: row.completed_at?.toISOString() ?? null,
  };
}
