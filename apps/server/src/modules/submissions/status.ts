import { type AssetErrorType, failureOf } from '@assay/contract/asset-failures.ts';
import { retriesPerAssetMax } from '@assay/contract/limits.ts';
import type { Status } from '@assay/contract/schemas/submission.ts';

export type AssetState = {
  status: Exclude<Status, 'uploading'>;
  progressPercent: number;
  errorType: AssetErrorType | null;
  attempt: number;
};

/** §3: a submission's status, from its assets. `failed` only once all are settled: then callers stop polling. */
export function submissionStatus(statuses: readonly AssetState['status'][]): AssetState['status'] {
  const has = (status: AssetState['status']) => statuses.includes(status);
  if (statuses.every((status) => status === 'submitted')) return 'submitted';
  if (has('submitted') || has('processing')) return 'processing';
  return has('failed') ? 'failed' : 'complete';
}

/** §3: whether polling can stop. */
export function isFinished(statuses: readonly AssetState['status'][]): boolean {
  return ['complete', 'failed'].includes(submissionStatus(statuses));
}

/** §2.2: creation is attempt 1. */
export function retryCount({ attempt }: Pick<AssetState, 'attempt'>): number {
  return attempt - 1;
}

export function isRetryable(asset: Pick<AssetState, 'errorType' | 'attempt'>): boolean {
  if (!asset.errorType) return false;
  return failureOf(asset.errorType).isRetryable && retryCount(asset) < retriesPerAssetMax;
}

/** 100 only when all assets are complete: the mean is rounded down. */
export function submissionProgress(assets: readonly Pick<AssetState, 'progressPercent'>[]): number {
  return Math.floor(assets.reduce((sum, asset) => sum + asset.progressPercent, 0) / assets.length);
}

export function submissionErrorMessage(assets: readonly Pick<AssetState, 'status'>[]): string | null {
  if (submissionStatus(assets.map(({ status }) => status)) !== 'failed') return null;
  const failedCount = assets.filter(({ status }) => status === 'failed').length;
  return `${failedCount} of ${assets.length} ${assets.length === 1 ? 'asset' : 'assets'} failed`;
}
