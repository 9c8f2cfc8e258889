import type { Handles } from '../handles/handles.ts';
import { channelOf } from '../submissions/present.ts';
import { raiseProgress } from '../submissions/progress-store.ts';
import type { AssetAttempt } from './asset-attempt.ts';

const pauseMillis = 1000;

/** Records progress at most once per second: enough for polling, and cheaper than a statement per chunk. */
export function trackProgress(asset: AssetAttempt, { db, clock, log, realtime }: Handles): (percent: number) => void {
  let writtenAt = clock.now().getTime();
  return (percent) => {
    const now = clock.now().getTime();
    if (now - writtenAt < pauseMillis) return;
    writtenAt = now;
    raiseProgress(db, asset.workspaceId, asset.submissionId, asset, percent).then(
      () => realtime.notify(channelOf(asset.submissionId)),
      (error) => log.warn({ err: error, assetId: asset.assetId }, 'progress was not recorded; the next report retries'),
    );
  };
}
