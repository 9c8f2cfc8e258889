import { randomUUIDv7 } from 'node:crypto';
import * as move from '@assay/server/modules/uploads/move/move-store.ts';
import { forgetPartUpload, recordPartUpload } from '@assay/server/modules/uploads/part-upload-store.ts';
import * as measure from '@assay/server/modules/uploads/quota/measure-store.ts';
import { readStorageUse } from '@assay/server/modules/uploads/quota/quota-store.ts';
import * as media from '@assay/server/modules/uploads/retention/media-store.ts';
import * as store from '@assay/server/modules/uploads/store.ts';
import type { BlobLocation } from '@assay/server/platform/storage/blobs.ts';
import type { Operations } from './operation.ts';
import { idAt } from './submissions.ts';

const from: BlobLocation = { store: 'azure', account: 'account', container: 'media' };
const to: BlobLocation = { store: 's3', account: 'account', container: 'media' };
const room = { bytesMax: null, filesMax: null };
const movable = ({ blobId }: { blobId: string }) => ({ blobId, place: from }) as move.MovableBlob;

const claimed = (blobId: string, claimedUntil: Date) => ({ blobId, claimedUntil }) as measure.ClaimedUpload;

export const uploads: Operations = {
  insertBlob: (db, { workspaceId }) =>
    store.insertBlob(
      db,
      { workspaceId, mode: 'live' },
      {
        path: { workspaceId, blobId: randomUUIDv7(), filename: 'spot.mp4' },
        media: { type: 'video/mp4', category: 'video' } as store.NewBlob['media'],
        location: from,
        countedBytes: 1000,
        isMeasured: false,
      },
      room,
    ),
  findBlobs: (db, { workspaceId, complete }) => store.findBlobs(db, workspaceId, [complete.blobId]),
  findPinnedBlob: (db, { workspaceId, complete }) => store.findPinnedBlob(db, workspaceId, complete.blobId, 'etag'),
  extendUpload: (db, { workspaceId, complete }) => store.extendUpload(db, workspaceId, complete.blobId, {}, 1000, room),
  recordPartUpload: (db, { workspaceId, complete, now }) =>
    recordPartUpload(db, workspaceId, complete.blobId, null, 'upload', now),
  forgetPartUpload: (db, { workspaceId, complete }) => forgetPartUpload(db, workspaceId, complete.blobId, 'upload'),

  claimUnmeasured: (db, { now }) => measure.claimUnmeasured(db, new Date(now.getTime() + 86_400_000), now, 50),
  recordMeasured: (db, { complete, now }) => measure.recordMeasured(db, claimed(complete.blobId, now), 1000, null),
  forgetMeasurement: (db, { failed }) => measure.forgetMeasurement(db, failed.blobId),
  postponeMeasurement: (db, { complete, now }) => measure.postponeMeasurement(db, claimed(complete.blobId, now), now),
  isSubmitted: (db, { workspaceId, complete }) => measure.isSubmitted(db, workspaceId, complete.blobId),
  readStorageUse: (db, { workspaceId }) => readStorageUse(db, workspaceId),

  discardBlobs: (db, { workspaceId, complete, now }) =>
    media.discardBlobs(db, workspaceId, [complete.blobId], 'live', now),
  'claimDueBlob: one is due': (db, { late }) =>
    media.claimDueBlob(db, new Date(late.getTime() + 91 * 86_400_000), late),
  'claimDueBlob: none is due': (db, { early }) => media.claimDueBlob(db, early, early),
  lockBlob: (db, { complete }) => media.lockBlob(db, complete.blobId),
  markEmptied: (db, { complete, now }) => media.markEmptied(db, complete.blobId, now),
  findBlobUse: (db, { workspaceId, complete }) => media.findBlobUse(db, workspaceId, complete.blobId),
  recordAction: (db, { complete, now }) =>
    media.recordAction(db, complete.blobId, now, { emptiedAt: now, isNameDeleted: true, nextCheckAt: 'infinity' }),
  postponeCheck: (db, { complete, now }) => media.postponeCheck(db, complete.blobId, now),
  deleteBlobRow: (db, { failed }) => media.deleteBlobRow(db, failed.blobId),

  listBlobs: (db, { late }) => move.listBlobs(db, { from, to }, idAt(late), 100),
  claimBlob: (db, { complete }) => move.claimBlob(db, movable(complete), to),
  switchPlace: (db, { complete, now }) => move.switchPlace(db, movable(complete), to, now.toISOString(), undefined),
  isPlacedAt: (db, { complete }) => move.isPlacedAt(db, movable(complete), from),
  moveRecords: (db, { failed }) => move.moveRecords(db, [failed.blobId], { from, to }),
  forgetOtherPlace: (db, { complete }) => move.forgetOtherPlace(db, movable(complete), to),
  withMoveLock: (db) => move.withMoveLock(db, async () => {}),
};
