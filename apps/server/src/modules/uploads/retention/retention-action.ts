import { presignedUrlLifetimeSeconds } from '@assay/contract/limits.ts';
import { unfinishedHoursMax } from '../part-upload-store.ts';
import type { BlobUse, RetainedBlob } from './media-store.ts';

/** Retention periods. */
export type Retention = { unsubmittedHours: number; mediaDays: number; resultsDays: number };

/** What happens to a blob now, and when it is checked next. */
export type RetentionAction = {
  isPurged: boolean;
  isNameDeleted: boolean;
  nextCheckAt: Date | 'never' | 'delete row';
};

const hourMillis = 3_600_000;

/** Whether an unfinished upload in parts is aborted now, whatever happens to the blob. */
export function isUploadAborted({ partUploadAt }: RetainedBlob, isPurged: boolean, now: Date): boolean {
  if (!partUploadAt) return false;
  return isPurged || now >= addMillis(partUploadAt, unfinishedHoursMax * hourMillis);
}

/** This long after a purge, which ends renewals, all upload URLs have expired; with a margin for clock skew. */
const urlsValidMillis = presignedUrlLifetimeSeconds * 1000 + 5 * 60_000;

export function retentionAction(blob: RetainedBlob, use: BlobUse, now: Date, keep: Retention): RetentionAction {
  const isUsed = use.assetCount > 0;
  if (blob.emptiedAt) {
    // The blob is purged again, because an upload URL may have been used since.
    const areUrlsExpired = now.getTime() >= blob.emptiedAt.getTime() + urlsValidMillis;
    const nextCheckAt = areUrlsExpired ? (isUsed ? 'never' : 'delete row') : addMillis(blob.emptiedAt, urlsValidMillis);
    return { isPurged: true, isNameDeleted: !isUsed, nextCheckAt };
  }
  if (isUsed && !use.endedAt) return keepUntil(addMillis(now, hourMillis));
  const end = use.endedAt
    ? addMillis(use.endedAt, keep.mediaDays * 24 * hourMillis)
    : (blob.discardedAt ?? unsubmittedUntil(blob, keep));
  if (now < end) return keepUntil(end);
  return { isPurged: true, isNameDeleted: !isUsed, nextCheckAt: addMillis(now, urlsValidMillis) };
}

/** An upload that its URL still allows is not lost while it runs. */
function unsubmittedUntil({ createdAt, uploadUntil }: RetainedBlob, { unsubmittedHours }: Retention): Date {
  const end = addMillis(createdAt, unsubmittedHours * hourMillis);
  return uploadUntil > end ? uploadUntil : end;
}

const keepUntil = (nextCheckAt: Date): RetentionAction => ({ isPurged: false, isNameDeleted: false, nextCheckAt });
const addMillis = (moment: Date, millis: number) => new Date(moment.getTime() + millis);
