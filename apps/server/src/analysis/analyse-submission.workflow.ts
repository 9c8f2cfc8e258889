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
import type { Run, RunAsset } from '../submissions/runs/run-store.ts';
import type { ExaminationActivities, SettlementActivities } from './analysis.activities.ts';

// Local activities, because settling is a short database step: half the load on the engine.
const { settle } = proxyLocalActivities<SettlementActivities>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '500 ms', maximumInterval: '10 seconds' },
});

/** The workflow of one run: assets are analysed independently of each other. */
export async function analyseSubmission(run: Run): Promise<void> {
  await Promise.all(run.assets.map((asset) => analyseAsset(run, asset)));
}

async function analyseAsset({ workspaceId, submissionId }: Run, { category, ...attempt }: RunAsset): Promise<void> {
  const asset = { workspaceId, submissionId, ...attempt };
  const failure = await examineOn(category)(asset).then(() => null, errorTypeOf);
  // Also in a cancelled run, each asset is settled.
  await CancellationScope.nonCancellable(() => settle(asset, failure));
}

function examineOn(category: Category) {
  const { examine } = proxyActivities<ExaminationActivities>({
    taskQueue: workflowInfo().taskQueue.replace(/control$/, category), // keeps the prefix
    startToCloseTimeout: '24 hours', // download and examination; the latter has its own limit by duration of the file
    scheduleToCloseTimeout: '3 days',
    heartbeatTimeout: '10 seconds', // how soon a dead worker is detected
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    // After an outage of any length, work continues within 15 s. The activity itself marks final failures.
    retry: { initialInterval: '1 second', maximumInterval: '15 seconds' },
  });
  return examine;
}

/** Maps a failure of the engine to a documented error type. */
function errorTypeOf(error: unknown): AssetErrorType {
  if (isCancellation(error)) return 'cancelled';
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof TimeoutFailure)
    return cause.timeoutType === 'START_TO_CLOSE' ? 'analysis_timeout' : 'engine_unavailable';
  const type = cause instanceof ApplicationFailure ? cause.type : undefined;
  return type && type in assetFailures ? (type as AssetErrorType) : 'internal_error';
}
