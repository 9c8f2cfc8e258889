import type { Handles } from '#platform/handles.ts';
import { processRows } from '#platform/mechanisms/process-rows.ts';
import { blobPrefix, formatBlobPath } from '../blob-path.ts';
import { measureAction } from './measure-action.ts';
import {
  type ClaimedUpload,
  claimUnmeasured,
  forgetMeasurement,
  isSubmitted,
  postponeMeasurement,
  recordMeasured,
} from './measure-store.ts';

const batchSize = 50;
const atOnceMax = 8;
/** Longer than a batch takes, so that claims expire only when a worker has died. */
const claimMillis = 10 * 60_000;
const postponedMillis = 5 * 60_000;
const postponedElsewhereMillis = 24 * 60 * 60_000;

/**
 * Looks up how many bytes uploads have stored, which a presigned URL cannot limit in every store: they count against the
 * quota, and a file that is larger than declared or allowed is deleted.
 */
export async function measureUploads(handles: Handles, signal?: AbortSignal): Promise<void> {
  const { db, blobs, clock } = handles;
  // An account that is not configured may be permanently unreachable.
  const isElsewhere = ({ store, account }: ClaimedUpload) =>
    !blobs.stores.some(({ home }) => home.store === store && home.account === account);
  const inMillis = (millis: number) => new Date(clock.now().getTime() + millis);
  await processRows(
    handles,
    {
      name: 'measure-uploads',
      batchSize,
      atOnceMax,
      claim: (limit) => claimUnmeasured(db, clock.now(), inMillis(claimMillis), limit),
      act: (upload) => measureUpload(handles, upload),
      describe: ({ blobId }) => ({ blobId }),
      postpone: (upload) => {
        const wait = isElsewhere(upload) ? postponedElsewhereMillis : postponedMillis;
        return postponeMeasurement(db, upload, inMillis(wait));
      },
      failsAlone: isElsewhere,
    },
    signal,
  );
}

async function measureUpload({ db, blobs, clock, log }: Handles, upload: ClaimedUpload): Promise<void> {
  const { blobId, workspaceId, filename, partUploadId } = upload;
  if (filename === null || upload.emptiedAt) return forgetMeasurement(db, blobId);
  const stored = await blobs.measure(upload, formatBlobPath({ workspaceId, blobId, filename }), partUploadId);
  // Few files are larger than declared, so only then it matters whether they are in use.
  const decide = (isInUse: boolean) => measureAction({ ...upload, filename }, stored, isInUse, clock.now());
  let action = decide(false);
  if (action.isDeleted) action = decide(await isSubmitted(db, workspaceId, blobId));
  if (action.isDeleted) {
    await blobs.removeAll(upload, blobPrefix(upload));
    log.warn({ blobId, workspaceId, ...stored }, 'deleted an upload that was larger than declared or allowed');
  }
  await recordMeasured(db, upload, action.countedBytes, action.nextAt);
}
