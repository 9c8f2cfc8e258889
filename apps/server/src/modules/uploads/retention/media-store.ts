import { sql } from 'kysely';
import type { Mode, WorkspaceId } from '#call/caller.ts';
import type { Db } from '#platform/postgres/db.ts';
import type { BlobLocation } from '#platform/storage/blobs.ts';
import { unfinishedHoursMax } from '../part-upload-store.ts';

/** `other` is a second place that may contain the bytes of a blob while it is moved from one store to another. */
export type BlobPlaces = BlobLocation & { other: BlobLocation | null };

export type RetainedBlob = BlobPlaces & {
  blobId: string;
  workspaceId: WorkspaceId;
  createdAt: Date;
  /** Until then, an upload URL may be used. */
  uploadUntil: Date;
  discardedAt: Date | null;
  emptiedAt: Date | null;
  /** Null when the name was deleted. */
  filename: string | null;
  partUploadId: string | null;
  partUploadAt: Date | null;
};
/** `claimedUntil` identifies the claim. */
export type ClaimedBlob = RetainedBlob & { claimedUntil: Date };

const placeColumns = sql`store, account, container, case when other_store is not null then
  jsonb_build_object('store', other_store, 'account', other_account, 'container', other_container) end as other`;

/**
 * Called when a submission that used these blobs is deleted: they are checked next. A live upload is not discarded with
 * a sandbox submission: it is kept like any upload.
 */
export async function discardBlobs(
  db: Db,
  workspaceId: WorkspaceId,
  blobIds: string[],
  submissionMode: Mode,
  now: Date,
): Promise<void> {
  await sql`
    update blobs
    set discarded_at = case when created_with = 'sandbox' or ${submissionMode} = 'live' then ${now}::timestamptz
        else discarded_at end,
      next_look_at = ${now}::timestamptz
    where blob_id = any(${blobIds}::uuid[]) and workspace_id = ${workspaceId}`.execute(db);
}

/**
 * Claims the blob that has been due the longest in all workspaces; no other worker checks it until the claim expires.
 * A claim, not a lock: storage may take seconds to answer, and deleting a submission with this blob must not wait.
 */
export async function claimDueBlob(db: Db, now: Date, claimedUntil: Date): Promise<ClaimedBlob[]> {
  const { rows } = await sql<RetainedBlob>`
    update blobs set next_look_at = ${claimedUntil}::timestamptz
    where blob_id = (
      select blob_id from blobs where next_look_at <= ${now} and next_look_at < 'infinity'
      order by next_look_at limit 1 for update skip locked
    )
    returning blob_id as "blobId", workspace_id as "workspaceId", created_at as "createdAt",
      upload_until as "uploadUntil", discarded_at as "discardedAt", emptied_at as "emptiedAt", filename, part_upload_id as "partUploadId",
      part_upload_at as "partUploadAt", ${placeColumns}`.execute(db);
  return rows.map((row) => ({ ...row, claimedUntil }));
}

export async function lockBlob(db: Db, blobId: string): Promise<void> {
  await db.selectFrom('blobs').select('blob_id').where('blob_id', '=', blobId).forUpdate().execute();
}

export async function markEmptied(db: Db, blobId: string, now: Date): Promise<void> {
  await db.updateTable('blobs').set({ emptied_at: now }).where('blob_id', '=', blobId).execute();
}

export type BlobUse = {
  assetCount: number;
  /** When the last of these assets finished; null while one has not. */
  endedAt: Date | null;
};

export async function findBlobUse(db: Db, workspaceId: WorkspaceId, blobId: string): Promise<BlobUse> {
  const { rows } = await sql<BlobUse>`
    select count(*)::int as "assetCount",
      case when count(*) = count(completed_at) then max(completed_at) end as "endedAt"
    from assets where blob_id = ${blobId} and workspace_id = ${workspaceId}`.execute(db);
  return rows[0] as BlobUse;
}

type RecordedAction = { emptiedAt: Date | null; isNameDeleted: boolean; nextCheckAt: Date | 'infinity' };

/**
 * A blob that was discarded since it was claimed stays due and is checked again. A blob with an unfinished upload is
 * checked at the latest when that upload is due to be aborted. Returns where the blob is now: a purged blob is no
 * longer moved.
 */
export async function recordAction(
  db: Db,
  blobId: string,
  claimedUntil: Date,
  { emptiedAt, isNameDeleted, nextCheckAt }: RecordedAction,
): Promise<BlobPlaces | undefined> {
  const { rows } = await sql<BlobPlaces>`
    update blobs set emptied_at = ${emptiedAt}::timestamptz,
      next_look_at = case when next_look_at = ${claimedUntil}
        then least(${nextCheckAt}::timestamptz, case when ${emptiedAt}::timestamptz is null
          then part_upload_at + make_interval(hours => ${unfinishedHoursMax}) end)
        else next_look_at end,
      filename = case when ${isNameDeleted} then null else filename end,
      sent_filename = case when ${isNameDeleted} then null else sent_filename end,
      declared_sha256 = case when ${isNameDeleted} then null else declared_sha256 end,
      measure_at = case when ${emptiedAt}::timestamptz is null then measure_at end,
      -- After the last purge no upload URL is valid, so the blob no longer counts against the quota.
      upload_until = case when ${nextCheckAt}::timestamptz = 'infinity' then least(upload_until, ${emptiedAt}::timestamptz)
        else upload_until end
    where blob_id = ${blobId}
    returning ${placeColumns}`.execute(db);
  return rows[0];
}

export async function postponeCheck(db: Db, blobId: string, until: Date): Promise<void> {
  await db.updateTable('blobs').set({ next_look_at: until }).where('blob_id', '=', blobId).execute();
}

export async function deleteBlobRow(db: Db, blobId: string): Promise<void> {
  await db.deleteFrom('blobs').where('blob_id', '=', blobId).execute();
}
