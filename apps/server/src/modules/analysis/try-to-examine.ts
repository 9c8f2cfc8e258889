import { setTimeout as sleep } from 'node:timers/promises';
import { AssetFailure } from '@assay/contract/asset-failures.ts';
import { channelOf } from '#modules/submissions/present.ts';
import { beginAssets } from '#modules/submissions/progress-store.ts';
import type { Handles } from '#platform/handles.ts';
import type { Release, Semaphore } from '#platform/mechanisms/semaphore.ts';
import { type Activity, ActivityEnd } from '#platform/temporal/as-activity.ts';
import type { AssetAttempt } from './asset-attempt.ts';
import { type ExaminationTools, examine } from './examine.ts';
import { examinationsHeldBack } from './metrics.ts';
import type { ExaminationShare, WaitReason } from './share/examination-share.ts';
import { type LengthWatch, watchLength } from './share/watch-length.ts';
import { hasExamination } from './store.ts';
import { endingOf, failureAfter, isKnownLong, isSuspect, type TryEnding, withErrorType } from './try-endings.ts';
import { lateHeartbeatReason, reasonOf } from './try-reason.ts';
import { beginTry, endTry, findTryEndings, type TryEnd } from './try-store.ts';

export type TryTools = ExaminationTools & {
  /** Identifies the worker process. */
  workerId: string;
  /** Files that may have killed a worker are examined one at a time, by the name of their queue. */
  suspectPermits: Semaphore;
  /** The pause before the next try when the machine was out of memory. */
  memoryRetrySeconds: number;
  share: ExaminationShare;
};

const recordRetryMillis = 2000;
/** The pause before a suspect asks for the permit of its queue again. */
const suspectWaitSeconds = 15;

/**
 * Examines an asset, unless others come first, or fails it if its earlier tries have reached a limit. An asset that must
 * wait does so without a slot: it ends, and the engine gives it to a worker again after a pause.
 */
export async function tryToExamine(
  asset: AssetAttempt,
  activity: Activity,
  handles: Handles,
  tools: TryTools,
): Promise<void> {
  const { workspaceId } = asset;
  const { endings: earlier, tier } = await findTryEndings(handles.db, workspaceId, asset);
  const entered = await tools.share.enter({ workspaceId, tier }, activity.taskQueue);
  if (typeof entered === 'string') throw waitFor(entered, asset, activity, handles, tools);
  try {
    await examineInPlace(asset, activity, handles, tools, { earlier, leaveSlot: entered.leaveSlot });
  } finally {
    entered.leave();
  }
}

async function examineInPlace(
  asset: AssetAttempt,
  activity: Activity,
  handles: Handles,
  tools: TryTools,
  { earlier, leaveSlot }: { earlier: TryEnding[]; leaveSlot: Release },
): Promise<void> {
  const { db, realtime } = handles;
  // The previous try may have recorded its findings and then died or lost its connection to the engine.
  if (earlier.length > 0 && (await hasExamination(db, asset.workspaceId, asset.submissionId, asset))) return;
  const errorType = failureAfter(earlier);
  if (errorType) {
    const failure = new AssetFailure(errorType, `the tries ended by: ${earlier.join(', ')}`);
    throw new ActivityEnd(failure, { errorType, isFinal: true });
  }
  const enterLane = () => {
    const leaveLane = tools.share.laneOf(activity.taskQueue).enter(asset.workspaceId);
    if (leaveLane) leaveSlot();
    return leaveLane;
  };
  using held = new DisposableStack();
  const leaveLane = isKnownLong(earlier) ? enterLane() : undefined;
  if (leaveLane) held.defer(leaveLane);
  else if (isKnownLong(earlier)) throw waitFor('long_files', asset, activity, handles, tools);
  if (isSuspect(earlier)) held.defer(await takeSuspectPermit(activity, tools));
  using length = watchLength(tools.share.longSeconds, enterLane, leaveLane);
  await beginAssets(db, asset.workspaceId, asset.submissionId, 'live', [asset]);
  realtime.notify(channelOf(asset.submissionId));
  await tryOnce(asset, activity, handles, tools, { earlier, length });
}

/** The end of an activity whose asset waits: nothing has failed, and it counts as no try. */
function waitFor(
  reason: WaitReason,
  { workspaceId, assetId }: AssetAttempt,
  { taskQueue }: Activity,
  { metrics, workflows }: Handles,
  { share }: TryTools,
): ActivityEnd {
  examinationsHeldBack(metrics).inc({ queue: taskQueue.slice(workflows.queuePrefix.length), reason });
  const waitSeconds = share.pauseSeconds(workspaceId, assetId);
  return new ActivityEnd(new Error(`waits: ${reason}`), {
    errorType: 'engine_unavailable',
    isFinal: false,
    waitSeconds,
    isWait: true,
  });
}

/** Fails for a while if another suspect has the permit: if suspects waited in their slots, others would wait behind them. */
async function takeSuspectPermit({ taskQueue }: Activity, { suspectPermits }: TryTools): Promise<Release> {
  const onlyIfFree = AbortSignal.abort();
  try {
    return await suspectPermits.acquire({ key: taskQueue, perKeyMax: 1, signal: onlyIfFree });
  } catch {
    const reason = new Error('another file that may have killed a worker is being examined');
    throw new ActivityEnd(reason, {
      errorType: 'engine_unavailable',
      isFinal: false,
      waitSeconds: suspectWaitSeconds,
      isWait: true,
    });
  }
}

async function tryOnce(
  asset: AssetAttempt,
  activity: Activity,
  handles: Handles,
  tools: TryTools,
  { earlier, length }: { earlier: TryEnding[]; length: LengthWatch },
): Promise<void> {
  const begun = { workerId: tools.workerId, isSuspect: isSuspect(earlier) };
  const tryId = await beginTry(handles.db, asset.workspaceId, asset, begun);
  if (!tryId) return; // settled, cancelled or deleted in the meantime
  const signal = AbortSignal.any([activity.signal, length.gaveWay]);
  const watch = { signal, report: length.report, onStarted: length.onStarted, background: length.leftSlot };
  try {
    await examine(asset, watch, handles, tools);
  } catch (error) {
    if (activity.isCancelled()) throw error;
    const end = describeEnd(error, activity);
    const { ending, errorType } = end;
    await recordEnd(asset, tryId, end, activity, handles);
    const isFinal = failureAfter([...earlier, ending]) !== null;
    if (ending === 'neighbour') throw waitFor('long_files', asset, activity, handles, tools);
    const waitSeconds = ending === 'machine' ? tools.memoryRetrySeconds : undefined;
    throw new ActivityEnd(error, { errorType, isFinal, waitSeconds });
  }
}

function describeEnd(error: unknown, activity: Activity): TryEnd {
  if (activity.isStopping()) return { ...withErrorType('stop'), reason: 'the worker was stopped' };
  if (activity.wasCutOff()) return { ...withErrorType('outage'), reason: 'the worker could not reach Temporal' };
  if (activity.wasSilent()) return { ...withErrorType('worker'), ...lateHeartbeatReason };
  return { ...endingOf(error), ...reasonOf(error) };
}

/** Retries while the database is down: a try without a recorded ending would count as lost with its worker. */
async function recordEnd(
  asset: AssetAttempt,
  tryId: string,
  end: TryEnd,
  activity: Activity,
  { db, log }: Handles,
): Promise<void> {
  for (;;) {
    try {
      return await endTry(db, asset.workspaceId, asset, tryId, end);
    } catch (error) {
      if (activity.isStopping()) return;
      log.warn({ err: error, assetId: asset.assetId }, 'the ending of a try was not recorded; retrying in 2 s');
      await sleep(recordRetryMillis);
    }
  }
}
