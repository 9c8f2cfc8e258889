import { type AssetErrorType, AssetFailure, assetFailures } from '@assay/contract/asset-failures.ts';
import { asMachineFailure } from '@assay/jail/machine-failure.ts';
import { ExaminerDied } from '@assay/sidekicks/run/examiner/examiner.ts';
import { Outage } from '#platform/outage.ts';
import { BlobArchived, BlobChanged } from '#platform/storage/blob-failures.ts';
import { GaveWay } from './share/watch-length.ts';

export type TryEnding = 'file' | 'timeout' | 'worker' | 'machine' | 'bug' | 'outage' | 'neighbour' | 'stop';

/**
 * For each way in which a try can end without a result: how many such tries fail the asset, and with which error type.
 * Each ending is counted separately. Tries with an unlimited ending are retried by the engine for three days.
 */
const tryEndings: Readonly<Record<TryEnding, { triesMax: number; errorType: AssetErrorType }>> = {
  /** The file cannot be examined; the error names its own type. */
  file: { triesMax: 1, errorType: 'analysis_rejected' },
  /** The examination took longer than a valid file of this duration can take. */
  timeout: { triesMax: 2, errorType: 'analysis_timeout' },
  /** The examining process died, or sent no heartbeat for so long that the engine considered it dead. */
  worker: { triesMax: 3, errorType: 'resource_limit_exceeded' },
  /** The kernel killed a process of the examination because the machine was out of memory. */
  machine: { triesMax: 3, errorType: 'resource_limit_exceeded' },
  /** An error in our code. */
  bug: { triesMax: 5, errorType: 'internal_error' },
  /** A dependency did not answer, or the disk was full. */
  outage: { triesMax: Number.POSITIVE_INFINITY, errorType: 'engine_unavailable' },
  /**
   * The examination takes long and gave way to others that take long. Earlier versions recorded it when the worker died
   * while it also examined a suspect; they accept any number of it, too.
   */
  neighbour: { triesMax: Number.POSITIVE_INFINITY, errorType: 'engine_unavailable' },
  /** The worker was stopped by its operator. */
  stop: { triesMax: Number.POSITIVE_INFINITY, errorType: 'engine_unavailable' },
};

/** Endings that may recur any number of times. */
export const unlimitedEndings = (Object.keys(tryEndings) as TryEnding[]).filter(
  (ending) => tryEndings[ending].triesMax === Number.POSITIVE_INFINITY,
);

/**
 * Whether a worker died while it examined this asset, perhaps because of another asset. Suspects are examined one at a
 * time: otherwise an asset that kills workers would be retried beside the same assets, which would fail with it.
 */
export function isSuspect(endings: readonly TryEnding[]): boolean {
  return endings.includes('worker');
}

/** Whether an earlier try of this asset showed that it takes long. */
export function isKnownLong(endings: readonly TryEnding[]): boolean {
  return endings.includes('neighbour');
}

/** The error type with which an asset fails after these tries; `null` while it may be tried again. */
export function failureAfter(endings: readonly TryEnding[]): AssetErrorType | null {
  const spent = endings.find((ending) => countEndings(ending, endings) >= tryEndings[ending].triesMax);
  return spent ? tryEndings[spent].errorType : null;
}

/** The ending of a try that threw this error, and its error type. */
export function endingOf(error: unknown): { ending: TryEnding; errorType: AssetErrorType } {
  if (error instanceof BlobChanged) return { ending: 'file', errorType: 'blob_changed' };
  if (error instanceof BlobArchived) return { ending: 'file', errorType: 'blob_missing' };
  if (error instanceof AssetFailure && !assetFailures[error.errorType].isRetryable)
    return { ending: 'file', errorType: error.errorType };
  return withErrorType(retryableEndingOf(error));
}

export function withErrorType(ending: TryEnding): { ending: TryEnding; errorType: AssetErrorType } {
  return { ending, errorType: tryEndings[ending].errorType };
}

function retryableEndingOf(error: unknown): TryEnding {
  if (error instanceof AssetFailure) return error.errorType === 'analysis_timeout' ? 'timeout' : 'bug';
  if (error instanceof GaveWay) return 'neighbour';
  if (error instanceof Outage) return 'outage';
  if (error instanceof ExaminerDied) return 'worker';
  const machine = asMachineFailure(error);
  if (machine) return machine.kind === 'killed' ? 'machine' : 'outage';
  return 'bug';
}

function countEndings(ending: TryEnding, endings: readonly TryEnding[]): number {
  return endings.filter((one) => one === ending).length;
}
