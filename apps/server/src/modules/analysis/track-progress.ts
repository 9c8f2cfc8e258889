import type { ReportShare } from '@assay/sidekicks/run/progress.ts';
import { channelOf } from '#modules/submissions/present.ts';
import { raiseProgress } from '#modules/submissions/progress-store.ts';
import type { Handles } from '#platform/handles.ts';
import type { AssetAttempt } from './asset-attempt.ts';
import { weighDownload } from './weigh-download.ts';

const recordIntervalMillis = 1000;

export type Progress = {
  /** Reports the share of the file that has arrived, from 0 to 1. */
  downloaded(share: number): void;
  /** Reports the share of the examination that is done, from 0 to 1, and whether it is measured or guessed. */
  examined: ReportShare;
};

/** Records progress at most once per second: enough for polling, and cheaper than a statement per chunk. */
export function trackProgress(
  asset: AssetAttempt,
  { db, clock, log, realtime }: Handles,
  examinationSeconds: number,
  onExamined: ReportShare,
): Progress {
  const stages = weighDownload(examinationSeconds, () => clock.now());
  let writtenAt = clock.now().getTime();
  const write = (share: number) => {
    const now = clock.now().getTime();
    if (now - writtenAt < recordIntervalMillis) return;
    writtenAt = now;
    raiseProgress(db, asset.workspaceId, asset.submissionId, asset, 100 * share).then(
      () => realtime.notify(channelOf(asset.submissionId)),
      (error) => log.warn({ err: error, assetId: asset.assetId }, 'progress was not recorded; the next report retries'),
    );
  };
  return {
    downloaded: (share) => write(stages.downloaded(share)),
    examined(share, isMeasured) {
      onExamined(share, isMeasured);
      write(stages.examined(share));
    },
  };
}
