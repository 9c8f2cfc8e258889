import type { Handles } from '#platform/handles.ts';
import { processRows } from '#platform/mechanisms/process-rows.ts';
import type { Db } from '#platform/postgres/db.ts';
import type { BlobLocation, Blobs } from '#platform/storage/blobs.ts';
import { blobPrefix, formatBlobPath } from '../blob-path.ts';
import { forgetPartUpload } from '../part-upload-store.ts';
import {
  type BlobPlaces,
  type ClaimedBlob,
  claimDueBlob,
  deleteBlobRow,
  findBlobUse,
  lockBlob,
  markEmptied,
  postponeCheck,
  recordAction,
} from './media-store.ts';
import { isUploadAborted, type Retention, type RetentionAction, retentionAction } from './retention-action.ts';

/** Longer than a batch takes, so that claims expire only when a worker has died. */
const claimMillis = 30 * 60_000;
const postponedMillis = 5 * 60_000;
const postponedElsewhereMillis = 24 * 60 * 60_000;

/** Checks the due blobs of all workspaces, and purges media that are unused or whose retention period has ended. */
export async function purgeMedia(handles: Handles, keep: Retention, signal?: AbortSignal): Promise<void> {
  const { db, blobs, clock } = handles;
  const homes = blobs.stores.map(({ home }) => home);
  // A blob outside the configured containers may be permanently unreachable.
  const isElsewhere = (blob: ClaimedBlob) => placesOf(blob).some((place) => !isAmong(place, homes));
  await processRows(
    handles,
    {
      name: 'purge-media',
      // Deleting media takes seconds, and a worker that stops leaves what it has claimed.
      batchSize: 1,
      atOnceMax: 1,
      claim: () => {
        const now = clock.now();
        return claimDueBlob(db, now, new Date(now.getTime() + claimMillis));
      },
      act: (blob) => applyRetention(db, blobs, blob, clock.now(), keep),
      describe: ({ blobId }) => ({ blobId }),
      postpone: (blob) => {
        const wait = isElsewhere(blob) ? postponedElsewhereMillis : postponedMillis;
        return postponeCheck(db, blob.blobId, new Date(clock.now().getTime() + wait));
      },
      failsAlone: isElsewhere,
    },
    signal,
  );
}

async function applyRetention(db: Db, blobs: Blobs, blob: ClaimedBlob, now: Date, keep: Retention): Promise<void> {
  const action = await decide(db, blob, now, keep);
  if (isUploadAborted(blob, action.isPurged, now)) await abortUpload(db, blobs, blob);
  const purge = async (places: BlobLocation[]) => {
    for (const place of places) await blobs.removeAll(place, blobPrefix(blob));
  };
  if (action.isPurged) await purge(placesOf(blob));
  if (action.nextCheckAt === 'delete row') return deleteBlobRow(db, blob.blobId);
  const recorded = await recordAction(db, blob.blobId, blob.claimedUntil, {
    emptiedAt: action.isPurged ? (blob.emptiedAt ?? now) : null,
    isNameDeleted: action.isNameDeleted,
    nextCheckAt: action.nextCheckAt === 'never' ? 'infinity' : action.nextCheckAt,
  });
  // The blob may have been moved to another store since it was claimed.
  if (action.isPurged && recorded) await purge(placesOf(recorded).filter((place) => !isAmong(place, placesOf(blob))));
}

/**
 * A blob is recorded as emptied before its bytes are deleted, and no submission can be created with it from then on. The
 * lock excludes one that is created at the same time: it locks its blobs, too.
 */
function decide(db: Db, blob: ClaimedBlob, now: Date, keep: Retention): Promise<RetentionAction> {
  return db.transaction().execute(async (transaction) => {
    await lockBlob(transaction, blob.blobId);
    const use = await findBlobUse(transaction, blob.workspaceId, blob.blobId);
    const action = retentionAction(blob, use, now, keep);
    if (action.isPurged && !blob.emptiedAt) await markEmptied(transaction, blob.blobId, now);
    return action;
  });
}

const placesOf = (blob: BlobPlaces): BlobLocation[] => (blob.other ? [blob, blob.other] : [blob]);

function isAmong({ store, account, container }: BlobLocation, places: BlobLocation[]): boolean {
  return places.some((one) => one.store === store && one.account === account && one.container === container);
}

/** Purging a blob aborts all its uploads too, but not on every server: some do not list them by prefix. */
async function abortUpload(db: Db, blobs: Blobs, blob: ClaimedBlob): Promise<void> {
  const { blobId, workspaceId, filename, partUploadId } = blob;
  if (partUploadId === null || filename === null) return;
  const uploads = await blobs.partUploadsOf(blob, formatBlobPath({ workspaceId, blobId, filename }));
  await uploads.abort(partUploadId);
  await forgetPartUpload(db, workspaceId, blobId, partUploadId);
}
