import { presignedUrlLifetimeSeconds } from '@assay/contract/limits.ts';
import type { KeptBlob } from '../uploads/retention-store.ts';
import type { BlobUse } from './retention-store.ts';

/** How long things are kept. */
export type Retention = { unsubmittedHours: number; mediaDays: number; resultsDays: number };

/** What becomes of a blob now, and when it is looked at again. Without a moment for that its row goes too. */
export type BlobFate = { isEmptied: boolean; isNameForgotten: boolean; lookAgainAt: Date | 'never' | 'row goes' };

const hourMillis = 3_600_000;

/** A blob's path is refused once it is emptied, so no upload URL is good any longer than this; with a margin for clocks. */
const urlsGoodMillis = presignedUrlLifetimeSeconds * 1000 + 5 * 60_000;

export function blobFate(blob: KeptBlob, use: BlobUse, now: Date, keep: Retention): BlobFate {
  const isUsed = use.assetCount > 0;
  if (blob.emptiedAt) {
    // Whatever an old URL put there since goes now.
    const areUrlsOver = now.getTime() >= blob.emptiedAt.getTime() + urlsGoodMillis;
    const lookAgainAt = areUrlsOver ? (isUsed ? 'never' : 'row goes') : later(blob.emptiedAt, urlsGoodMillis);
    return { isEmptied: true, isNameForgotten: !isUsed, lookAgainAt };
  }
  if (isUsed && !use.endedAt) return kept(later(now, hourMillis));
  const end = use.endedAt
    ? later(use.endedAt, keep.mediaDays * 24 * hourMillis)
    : (blob.discardedAt ?? later(blob.createdAt, keep.unsubmittedHours * hourMillis));
  if (now < end) return kept(end);
  return { isEmptied: true, isNameForgotten: !isUsed, lookAgainAt: later(now, urlsGoodMillis) };
}

const kept = (lookAgainAt: Date): BlobFate => ({ isEmptied: false, isNameForgotten: false, lookAgainAt });
const later = (moment: Date, millis: number) => new Date(moment.getTime() + millis);
