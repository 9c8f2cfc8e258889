import type { Handles } from '#platform/handles.ts';
import { jobFailures } from '#platform/mechanisms/metrics.ts';
import type { Db } from '#platform/postgres/db.ts';
import type { BlobLocation, Blobs } from '#platform/storage/blobs.ts';
import { blobPrefix, formatBlobPath } from '../blob-path.ts';
import { forgetPartUpload } from '../part-upload-store.ts';
import {
  type BlobPlaces,
  claimDueBlob,
  deleteBlobRow,
  findBlobUse,
  postponeCheck,
  type RetainedBlob,
  recordAction,
} from './media-store.ts';
import { isUploadAborted, type Retention, retentionAction } from './retention-action.ts';

const blobsAtOnceMax = 200;
/** Longer than a batch takes, so that claims expire only when a worker has died. */
const claimMillis = 30 * 60_000;
const postponedMillis = 5 * 60_000;
const postponedElsewhereMillis = 24 * 60 * 60_000;
const failuresInRowMax = 5;

/**
 * Checks the due blobs of all workspaces, and purges media that are unused or whose retention period has ended.
 * Returns whether more may be due: a batch uses one fixed time, so a long batch would use an outdated one.
 */
export async function purgeMedia(handles: Handles, keep: Retention, signal?: AbortSignal): Promise<boolean> {
  let failuresInRow = 0;
  for (let count = 0; count < blobsAtOnceMax; count++) {
    if (signal?.aborted) return false;
    const outcome = await checkNext(handles, keep);
    if (outcome === 'none due') return false;
    if (outcome === 'checked') failuresInRow = 0;
    if (outcome === 'failed') failuresInRow++;
    if (failuresInRow === failuresInRowMax) return false; // storage is unavailable: the rest waits for the next batch
  }
  return true;
}

async function checkNext({ db, blobs, clock, log, metrics }: Handles, keep: Retention) {
  const now = clock.now();
  const claimedUntil = new Date(now.getTime() + claimMillis);
  const due = await claimDueBlob(db, now, claimedUntil);
  if (!due) return 'none due';
  try {
    await applyRetention(db, blobs, due, claimedUntil, now, keep);
    return 'checked';
  } catch (error) {
    jobFailures(metrics).inc({ job: 'purge-media' });
    log.warn({ err: error, blobId: due.blobId }, 'retention could not be applied to a blob; it is checked again later');
    // A blob outside the configured containers may be permanently unreachable and must not block the others.
    const homes = blobs.stores.map(({ home }) => home);
    const isElsewhere = placesOf(due).some((place) => !isAmong(place, homes));
    const wait = isElsewhere ? postponedElsewhereMillis : postponedMillis;
    await postponeCheck(db, due.blobId, new Date(now.getTime() + wait));
    return isElsewhere ? 'unreachable' : 'failed';
  }
}

async function applyRetention(
  db: Db,
  blobs: Blobs,
  blob: RetainedBlob,
  claimedUntil: Date,
  now: Date,
  keep: Retention,
): Promise<void> {
  const use = await findBlobUse(db, blob.workspaceId, blob.blobId);
  const action = retentionAction(blob, use, now, keep);
  if (isUploadAborted(blob, action.isPurged, now)) await abortUpload(db, blobs, blob);
  // A submission that is created with this blob at the same time finds it missing and is refused.
  const purge = async (places: BlobLocation[]) => {
    for (const place of places) await blobs.removeAll(place, blobPrefix(blob));
  };
  if (action.isPurged) await purge(placesOf(blob));
  if (action.nextCheckAt === 'delete row') return deleteBlobRow(db, blob.blobId);
  const recorded = await recordAction(db, blob.blobId, claimedUntil, {
    emptiedAt: action.isPurged ? (blob.emptiedAt ?? now) : null,
    isNameDeleted: action.isNameDeleted,
    nextCheckAt: action.nextCheckAt === 'never' ? 'infinity' : action.nextCheckAt,
  });
  // The blob may have been moved to another store since it was claimed.
  if (action.isPurged && recorded) await purge(placesOf(recorded).filter((place) => !isAmong(place, placesOf(blob))));
}

const placesOf = (blob: BlobPlaces): BlobLocation[] => (blob.other ? [blob, blob.other] : [blob]);

function isAmong({ store, account, container }: BlobLocation, places: BlobLocation[]): boolean {
  return places.some((one) => one.store === store && one.account === account && one.container === container);
}

/** Purging a blob aborts all its uploads too, but not on every server: some do not list them by prefix. */
async function abortUpload(db: Db, blobs: Blobs, blob: RetainedBlob): Promise<void> {
  const { blobId, workspaceId, filename, partUploadId } = blob;
  if (partUploadId === null || filename === null) return;
  const uploads = await blobs.partUploadsOf(blob, formatBlobPath({ workspaceId, blobId, filename }));
  await uploads.abort(partUploadId);
  await forgetPartUpload(db, blobId, partUploadId);
}
