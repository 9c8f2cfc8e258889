import { type AssetErrorType, type BoundingVariable, failureOf } from '@assay/contract/asset-failures.ts';
import { findAssetOfAnyWorkspace } from '#modules/submissions/store.ts';
import { workflowIdOf } from '#modules/submissions/workflow-id.ts';
import type { Db } from '#platform/postgres/db.ts';
import type { TryEnding } from './try-endings.ts';
import { findTries } from './try-store.ts';

export type Explanation = NonNullable<Awaited<ReturnType<typeof explainAsset>>>;

/** The state of an asset for the operator: each try of each attempt, why it ended, and what to do next. */
export async function explainAsset(db: Db, assetId: string) {
  const row = await findAssetOfAnyWorkspace(db, assetId);
  if (!row) return undefined;
  const { submission_id: submissionId, workspace_id: workspaceId, attempt: newestAttempt } = row;
  const tries = await findTries(db, workspaceId, { submissionId, assetId });
  const attempts = Array.from({ length: newestAttempt }, (_, i) => ({
    attempt: i + 1,
    tries: tries.flatMap(({ attempt, ...one }) => (attempt === i + 1 ? [one] : [])),
  }));
  const { status, error_type: errorType } = row;
  const newestTry = attempts.at(-1)?.tries.at(-1);
  return {
    assetId,
    submissionId,
    workspaceId,
    mode: row.mode,
    workflowId: workflowIdOf({ submissionId, run: row.run }),
    status,
    errorType,
    category: row.category,
    sizeBytes: Number(row.size_bytes),
    createdAt: row.created_at,
    completedAt: row.completed_at,
    restartCount: row.restart_count,
    attempts,
    nextStep: status === 'failed' && errorType ? stepAfterFailure(errorType, newestTry) : stepsByStatus[status],
  };
}

const stepsByStatus = {
  submitted: 'Wait. If it does not start, check that a worker runs whose WORKER_QUEUES contains the category.',
  processing: 'Wait. If no try is in progress, look up the workflow in Temporal.',
  complete: 'Nothing. The tries of a completed attempt are not kept.',
  failed: '',
} as const;

function stepAfterFailure(
  errorType: AssetErrorType,
  newestTry: { endedBy: TryEnding | null; errorType: string | null; variable: BoundingVariable | null } | undefined,
): string {
  // If the newest try has a different error type, it did not fail the asset: the run was cancelled or Temporal gave up.
  const isDecisive = newestTry && (newestTry.errorType ?? errorType) === errorType;
  const ofVariable = isDecisive && newestTry.variable && stepsByVariable[newestTry.variable];
  const ofEnding = isDecisive && newestTry.endedBy && stepsByEnding[newestTry.endedBy];
  return ofVariable || ofEnding || (stepsByErrorType[errorType] ?? stepForCaller(errorType));
}

/** What the operator should do if the limit set by this configuration variable was exceeded. */
export const stepsByVariable: Readonly<Record<BoundingVariable, string>> = {
  EXAMINATION_HEAP_MB: 'Raise EXAMINATION_HEAP_MB, restart the workers, and have the file submitted again.',
  EXAMINATION_SECONDS_MIN:
    'Check whether the machine is overloaded. If not, raise EXAMINATION_SECONDS_MIN and restart the workers. Then have the asset retried.',
  WORKER_LOST_AFTER_SECONDS:
    'Check whether the machine is overloaded, or raise WORKER_LOST_AFTER_SECONDS for api and worker. Then have the file submitted again.',
};

const stepsByEnding: Partial<Record<TryEnding, string>> = {
  worker:
    'Search the logs of the workers and of the kernel for the time of each try. If other files succeed, this file crashes the examination: report it.',
  machine: 'Give the worker more memory, or fewer examinations at once with WORKER_QUEUES. Then submit the file again.',
};

/** For error types that are not listed here, the file is the cause and the caller has to act. */
const stepsByErrorType: Partial<Record<AssetErrorType, string>> = {
  blob_missing:
    'Check who deletes or archives files in the storage. The caller has to upload and submit the file again.',
  resource_limit_exceeded:
    'This limit is fixed, far above what valid files need. The caller has to submit a smaller or simpler file.',
  analysis_timeout: 'Check whether the machine is overloaded. Then have the asset retried.',
  engine_unavailable:
    'Run pnpm admin doctor, and check that a worker serves the queue of this category. Then have the asset retried.',
  internal_error: 'Search the logs of the workers for the asset id, and report the error with its stack trace.',
  cancelled: 'The submission was cancelled by its caller, or its workflow in Temporal. The asset can be retried.',
};

function stepForCaller(errorType: AssetErrorType): string {
  return `The caller was told: ${failureOf(errorType).message}`;
}
