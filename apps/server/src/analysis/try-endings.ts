import { type AssetErrorType, AssetFailure, assetFailures } from '@assay/contract/asset-failures.ts';
import { Refusal } from '@assay/contract/refusals.ts';
import { asMachineFailure } from '@assay/sidekicks/evidence/machine-failure.ts';
import { ExaminerDied } from '@assay/sidekicks/examiner/examiner.ts';
import { BlobArchived, BlobChanged } from '../handles/blob-failures.ts';

export type TryEnding = 'file' | 'timeout' | 'worker' | 'machine' | 'bug' | 'outage' | 'neighbour' | 'stop';

/**
 * How a try at an examination can end without a result → how many such ends fail the asset, and as what. Ends of one
 * kind do not count towards another. Without a bound here, the engine gives up after three days.
 */
export const tryEndings: Readonly<
  Record<TryEnding, { triesMax: number; errorType: AssetErrorType; waitSeconds?: number }>
> = {
  /** The file cannot be examined: it fails by a type of its own. */
  file: { triesMax: 1, errorType: 'analysis_rejected' },
  /** The examination took longer than any honest file of this duration. */
  timeout: { triesMax: 2, errorType: 'analysis_timeout' },
  /** The process that examined died, or was silent for so long that the engine took it for dead. */
  worker: { triesMax: 3, errorType: 'resource_limit_exceeded' },
  /** The kernel killed a process of the examination, as the machine had no memory left. */
  machine: { triesMax: 3, errorType: 'resource_limit_exceeded', waitSeconds: 30 },
  /** A failure of ours. */
  bug: { triesMax: 5, errorType: 'internal_error' },
  /** A part did not answer, or the disk was full. */
  outage: { triesMax: Number.POSITIVE_INFINITY, errorType: 'engine_unavailable' },
  /** The worker died while a suspect ran beside this one. */
  neighbour: { triesMax: Number.POSITIVE_INFINITY, errorType: 'engine_unavailable' },
  /** The worker was stopped by its operator. */
  stop: { triesMax: Number.POSITIVE_INFINITY, errorType: 'engine_unavailable' },
};

/** One more death and the asset fails: from here on it is tried apart from others like it, to know whom to blame. */
export function isSuspect(endings: readonly TryEnding[]): boolean {
  return countOf('worker', endings) >= tryEndings.worker.triesMax - 1;
}

/** The type by which an asset fails after these ends of its tries; `null` while it may be tried again. */
export function failureAfter(endings: readonly TryEnding[]): AssetErrorType | null {
  const spent = endings.find((ending) => countOf(ending, endings) >= tryEndings[ending].triesMax);
  return spent ? tryEndings[spent].errorType : null;
}

/** How a try ended that threw this error, and the type that it names. */
export function endingOf(error: unknown): { ending: TryEnding; errorType: AssetErrorType } {
  if (error instanceof BlobChanged) return { ending: 'file', errorType: 'blob_changed' };
  if (error instanceof BlobArchived) return { ending: 'file', errorType: 'blob_missing' };
  if (error instanceof AssetFailure && !assetFailures[error.errorType].isRetryable)
    return { ending: 'file', errorType: error.errorType };
  return ended(retryableEndingOf(error));
}

export function ended(ending: TryEnding): { ending: TryEnding; errorType: AssetErrorType } {
  return { ending, errorType: tryEndings[ending].errorType };
}

function retryableEndingOf(error: unknown): TryEnding {
  if (error instanceof AssetFailure) return error.errorType === 'analysis_timeout' ? 'timeout' : 'bug';
  if (error instanceof Refusal) return 'outage';
  if (error instanceof ExaminerDied) return 'worker';
  const machine = asMachineFailure(error);
  if (machine) return machine.kind === 'killed' ? 'machine' : 'outage';
  return 'bug';
}

function countOf(ending: TryEnding, endings: readonly TryEnding[]): number {
  return endings.filter((one) => one === ending).length;
}
