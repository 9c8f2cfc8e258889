import { type AssetErrorType, assetFailures } from '@assay/contract/asset-failures.ts';
import type { Category } from '@assay/contract/limits.ts';
import {
  ActivityCancellationType,
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  TimeoutFailure,
  workflowInfo,
} from '@temporalio/workflow';
import type { Run, RunAsset } from '../submissions/run-store.ts';
import type { Examining, Settling } from './analysis.activities.ts';

// Local, as it is a short step of the database alone: half the engine's work.
const { settle } = proxyLocalActivities<Settling>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '500 ms', maximumInterval: '10 seconds' },
});

/** The durable story of one run: each asset on its own, none waits for another. */
export async function analyseSubmission(run: Run): Promise<void> {
  await Promise.all(run.assets.map((asset) => analyseAsset(run, asset)));
}

async function analyseAsset({ workspaceId, submissionId }: Run, { category, ...attempt }: RunAsset): Promise<void> {
  const asset = { workspaceId, submissionId, ...attempt };
  const failure = await examineOn(category)(asset).then(() => null, errorTypeOf);
  // A run that is cancelled still says so of each of its assets.
  await CancellationScope.nonCancellable(() => settle(asset, failure));
}

function examineOn(category: Category) {
  const { examine } = proxyActivities<Examining>({
    taskQueue: workflowInfo().taskQueue.replace(/control$/, category), // what stands before the name stays
    startToCloseTimeout: '24 hours', // the download, and an examination, whose own limit follows the file's duration
    scheduleToCloseTimeout: '3 days',
    heartbeatTimeout: '10 seconds', // how soon a worker that died is noticed
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    // However long a part was away: a quarter of a minute after it is back, work goes on. Which failure is final the
    // activity says.
    retry: { initialInterval: '1 second', maximumInterval: '15 seconds' },
  });
  return examine;
}

/** The engine's failure in the words of the one table. */
function errorTypeOf(error: unknown): AssetErrorType {
  if (isCancellation(error)) return 'cancelled';
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof TimeoutFailure)
    return cause.timeoutType === 'START_TO_CLOSE' ? 'analysis_timeout' : 'engine_unavailable';
  const type = cause instanceof ApplicationFailure ? cause.type : undefined;
  return type && type in assetFailures ? (type as AssetErrorType) : 'internal_error';
}
