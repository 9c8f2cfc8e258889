import { assetFailures } from '@assay/contract/asset-failures.ts';
import type { AssetStatus, Submission } from '@assay/contract/submission.ts';
import { workflowIdOf } from './start-run.ts';
import { isRetryable, retryCount, submissionErrorMessage, submissionProgress, submissionStatus } from './status.ts';
import type { AssetRow, SubmissionRow, VersionRow } from './store.ts';

/** §2.1, from its rows: one per asset, in order. */
export function presentSubmission(rows: SubmissionRow[]): Submission {
  const first = rows[0] as SubmissionRow;
  const assets = rows.map(presentAssetStatus);
  const status = submissionStatus(assets.map((asset) => asset.status as SubmissionRow['asset_status']));
  return {
    submissionId: first.submission_id,
    workflowId: workflowIdOf({ submissionId: first.submission_id, run: first.run }),
    workspaceId: first.workspace_id,
    mode: first.mode,
    status,
    progressPercent: submissionProgress(assets),
    createdAt: first.created_at.toISOString(),
    completedAt: first.completed_at?.toISOString() ?? null,
    errorMessage: submissionErrorMessage(rows.map((row) => ({ status: row.asset_status }))),
    isRetryable: assets.some((asset) => asset.isRetryable),
    metadata: first.metadata,
    assets,
  };
}

type Accepted = Pick<Submission, 'submissionId' | 'workflowId' | 'status'> & {
  assets: { assetId: string; versionGroupId: string; versionNumber: number }[];
};

/** §4.3, §4.8: what a creation and a retry answer. */
export function presentAccepted({ submissionId, workflowId, status, assets }: Accepted) {
  return {
    submissionId,
    workflowId,
    realtimeChannel: channelOf(submissionId),
    status,
    assets: assets.map(({ assetId, versionGroupId, versionNumber }) => ({ assetId, versionGroupId, versionNumber })),
  };
}

/** §6f: where its changes are told. */
export function channelOf(submissionId: string): string {
  return `submission.${submissionId}`;
}

// §2.2
function presentAssetStatus(row: SubmissionRow): AssetStatus {
  return {
    assetId: row.asset_id,
    versionGroupId: row.version_group_id,
    versionNumber: row.version_number,
    filename: row.filename,
    status: row.asset_status,
    progressPercent: row.progress_percent,
    issueCount: row.issue_count,
    ...presentFailure(row),
  };
}

/** §2.2: flat failure fields. */
export function presentFailure(row: Pick<AssetRow, 'error_type' | 'attempt'>) {
  const failure = { errorType: row.error_type, attempt: row.attempt };
  return {
    errorMessage: row.error_type && assetFailures[row.error_type].message,
    errorType: row.error_type,
    isRetryable: isRetryable(failure),
    retryCount: retryCount(failure),
  };
}

export function presentVersion(row: VersionRow) {
  return {
    versionGroupId: row.version_group_id,
    versionNumber: row.version_number,
    submissionId: row.submission_id,
    assetId: row.asset_id,
    filename: row.filename,
    status: row.status,
    issueCount: row.issue_count,
    createdAt: row.created_at.toISOString(),
    completedAt: row.completed_at?.toISOString() ?? null,
  };
}
