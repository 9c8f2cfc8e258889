import { setTimeout as sleep } from 'node:timers/promises';
import { AssetFailure } from '@assay/contract/asset-failures.ts';
import { type Activity, ActivityEnd } from '../handles/as-activity.ts';
import type { Handles } from '../handles/handles.ts';
import { channelOf } from '../submissions/present.ts';
import { beginAssets } from '../submissions/progress-store.ts';
import type { AssetAttempt } from './asset-attempt.ts';
import { type ExaminingTools, examine } from './examine.ts';
import type { createOneAtATime } from './one-at-a-time.ts';
import { hasExamination } from './store.ts';
import { ended, endingOf, failureAfter, isSuspect, type TryEnding, tryEndings } from './try-endings.ts';
import { beginTry, endTry, findTryEndings } from './try-store.ts';

export type TryingTools = ExaminingTools & {
  /** Of this process. */
  workerId: string;
  oneSuspectAtATime: ReturnType<typeof createOneAtATime>;
};

const recordAgainMillis = 2000;

/** Examines an asset, unless its earlier tries ended in a way that fails it. */
export async function tryToExamine(
  asset: AssetAttempt,
  activity: Activity,
  handles: Handles,
  tools: TryingTools,
): Promise<void> {
  const { db, realtime } = handles;
  await beginAssets(db, asset.workspaceId, asset.submissionId, [asset]);
  realtime.announce(channelOf(asset.submissionId));
  const earlier = await findTryEndings(db, asset.workspaceId, asset);
  // The try before may have recorded what it found, and died or lost the engine before it could say so.
  if (earlier.length > 0 && (await hasExamination(db, asset.workspaceId, asset.submissionId, asset))) return;
  const errorType = failureAfter(earlier);
  if (errorType) throw new ActivityEnd(new AssetFailure(errorType), { errorType, isFinal: true });
  if (!isSuspect(earlier)) return tryOnce(asset, activity, handles, tools, { earlier, isSuspect: false });
  await tools.oneSuspectAtATime(activity.signal, () =>
    tryOnce(asset, activity, handles, tools, { earlier, isSuspect: true }),
  );
}

async function tryOnce(
  asset: AssetAttempt,
  activity: Activity,
  handles: Handles,
  tools: TryingTools,
  { earlier, isSuspect }: { earlier: TryEnding[]; isSuspect: boolean },
): Promise<void> {
  const tryId = await beginTry(handles.db, asset.workspaceId, asset, { workerId: tools.workerId, isSuspect });
  if (!tryId) return; // settled, cancelled or deleted meanwhile
  try {
    await examine(asset, activity.signal, handles, tools);
  } catch (error) {
    if (activity.isCancelled()) throw error;
    const { ending, errorType } = describeEnd(error, activity);
    await recordEnd(asset, tryId, ending, activity, handles);
    const isFinal = failureAfter([...earlier, ending]) !== null;
    throw new ActivityEnd(error, { errorType, isFinal, waitSeconds: tryEndings[ending].waitSeconds });
  }
}

function describeEnd(error: unknown, activity: Activity) {
  if (activity.isStopping()) return ended('stop');
  if (activity.wasCutOff()) return ended('outage');
  return activity.wasSilent() ? ended('worker') : endingOf(error);
}

/** Without its end a try counts as lost with its worker: while the database is away, this waits for it. */
async function recordEnd(
  asset: AssetAttempt,
  tryId: string,
  ending: TryEnding,
  activity: Activity,
  { db, log }: Handles,
): Promise<void> {
  for (;;) {
    try {
      return await endTry(db, asset.workspaceId, asset, tryId, ending);
    } catch (error) {
      if (activity.isStopping()) return;
      log.warn({ err: error, assetId: asset.assetId }, 'the end of a try is not recorded yet');
      await sleep(recordAgainMillis);
    }
  }
}
