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
import type { RunAsset, StartedRun } from '#modules/submissions/runs/run-store.ts';
import type { EngineTimes } from '#platform/temporal/workflows.ts';
import type { ExaminationActivities, SettlementActivities } from './analysis.activities.ts';

// A local activity, because settling is a short database step. This halves the load on the engine.
const { settle } = proxyLocalActivities<SettlementActivities>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '500 ms', maximumInterval: '10 seconds' },
});

/** The engine times for runs that an earlier version started without `times`. */
const earlierVersionTimes: EngineTimes = { lostAfterSeconds: 10, retrySecondsMax: 15 };

/** The workflow of one run: assets are analysed independently of each other. */
export async function analyseSubmission(run: StartedRun): Promise<void> {
  await Promise.all(run.assets.map((asset) => analyseAsset(run, asset)));
}

async function analyseAsset(
  { workspaceId, submissionId, times = earlierVersionTimes }: StartedRun,
  { category, ...attempt }: RunAsset,
): Promise<void> {
  const asset = { workspaceId, submissionId, ...attempt };
  const failure = await examineActivityFor(category, times)(asset).then(() => null, errorTypeOf);
  // Assets are settled even if the run was cancelled.
  await CancellationScope.nonCancellable(() => settle(asset, failure));
}

function examineActivityFor(category: Category, { lostAfterSeconds, retrySecondsMax }: EngineTimes) {
  const { examine } = proxyActivities<ExaminationActivities>({
    taskQueue: workflowInfo().taskQueue.replace(/control$/, category), // keeps the queue prefix
    // Covers download and examination; the examination has its own limit, based on the duration of the file.
    startToCloseTimeout: '24 hours',
    scheduleToCloseTimeout: '3 days',
    heartbeatTimeout: lostAfterSeconds * 1000,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    // The maximum interval lets work resume soon after an outage of any length. The activity itself marks the failures
    // that must not be retried.
    retry: { initialInterval: '1 second', maximumInterval: retrySecondsMax * 1000 },
  });
  return examine;
}

/** Maps an error from Temporal to a documented error type. */
function errorTypeOf(error: unknown): AssetErrorType {
  if (isCancellation(error)) return 'cancelled';
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof TimeoutFailure)
    return cause.timeoutType === 'START_TO_CLOSE' ? 'analysis_timeout' : 'engine_unavailable';
  const type = cause instanceof ApplicationFailure ? cause.type : undefined;
  return type && type in assetFailures ? (type as AssetErrorType) : 'internal_error';
}
