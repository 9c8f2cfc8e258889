import { AssetFailure, type BoundingVariable } from '@assay/contract/asset-failures.ts';
import { asMachineFailure } from '@assay/jail/machine-failure.ts';
import { ExaminerDied } from '@assay/sidekicks/run/examiner/examiner.ts';
import { Outage } from '#platform/outage.ts';
import { BlobArchived, BlobChanged } from '#platform/storage/blob-failures.ts';
import { GaveWay } from './share/watch-length.ts';

/** Why a try ended, for the operator, and the configuration variable that sets the exceeded limit. */
export type TryReason = { reason: string; variable?: BoundingVariable | undefined };

export const lateHeartbeatReason: TryReason = {
  reason: 'the worker sent its heartbeats too late',
  variable: 'WORKER_LOST_AFTER_SECONDS',
};

/** The reason is stored, so it contains no messages of unknown errors: they may quote the file. The log has them. */
export function reasonOf(error: unknown): TryReason {
  if (error instanceof AssetFailure) return { reason: error.reason, variable: error.variable };
  return { reason: describeError(error) };
}

function describeError(error: unknown): string {
  if (error instanceof BlobChanged) return 'the stored file was replaced after it was validated';
  if (error instanceof BlobArchived) return 'the stored file is in an archive tier, from which it cannot be read';
  if (error instanceof Outage || error instanceof GaveWay) return error.message;
  if (error instanceof ExaminerDied) return `the process that examined the file ended with ${error.exit}`;
  const machine = asMachineFailure(error);
  if (machine?.kind === 'killed') return 'the kernel killed a process of the examination; memory may have run out';
  if (machine) return 'the machine has no disk space, processes or file descriptors left';
  return 'an error in the service; the log of the worker has its stack trace';
}
