import { sql } from 'kysely';
import type { WorkspaceId } from '#call/caller.ts';
import type { Db } from '#platform/postgres/db.ts';
import type { BlobLocation } from '#platform/storage/blobs.ts';
import type { UnmeasuredBlob } from './measure-action.ts';

/** `claimedUntil` identifies the claim. */
export type ClaimedUpload = BlobLocation &
  Omit<UnmeasuredBlob, 'filename'> & {
    blobId: string;
    workspaceId: WorkspaceId;
    /** Null when the name was deleted, with the bytes. */
    filename: string | null;
    emptiedAt: Date | null;
    claimedUntil: Date;
  };

/** Claims the uploads that have been due the longest in all workspaces. */
export async function claimUnmeasured(db: Db, now: Date, claimedUntil: Date, limit: number): Promise<ClaimedUpload[]> {
  const { rows } = await sql<Omit<ClaimedUpload, 'claimedUntil'>>`
    update blobs set measure_at = ${claimedUntil}::timestamptz
    where blob_id = any(array(
      select blob_id from blobs where measure_at <= ${now} order by measure_at limit ${limit} for update skip locked
    ))
    returning blob_id as "blobId", workspace_id as "workspaceId", filename, declared_bytes::float8 as "declaredBytes",
      coalesce(counted_bytes, 0)::float8 as "countedBytes", upload_until as "uploadUntil",
      part_upload_id as "partUploadId", emptied_at as "emptiedAt", store, account, container`.execute(db);
  return rows.map((row) => ({ ...row, claimedUntil }));
}

/** Changes nothing if the blob was purged or its upload URL renewed since it was claimed. */
export async function recordMeasured(
  db: Db,
  { blobId, claimedUntil }: ClaimedUpload,
  countedBytes: number,
  nextAt: Date | null,
): Promise<void> {
  await sql`
    update blobs set counted_bytes = ${countedBytes}, measure_at = ${nextAt}::timestamptz
    where blob_id = ${blobId} and measure_at = ${claimedUntil} and emptied_at is null`.execute(db);
}

/** Called for a purged blob: the purge decides what it counts with. */
export async function forgetMeasurement(db: Db, blobId: string): Promise<void> {
  await sql`update blobs set measure_at = null where blob_id = ${blobId} and emptied_at is not null`.execute(db);
}

export async function postponeMeasurement(db: Db, { blobId, claimedUntil }: ClaimedUpload, until: Date): Promise<void> {
  await sql`
    update blobs set measure_at = ${until}::timestamptz
    where blob_id = ${blobId} and measure_at = ${claimedUntil}`.execute(db);
}

export async function isSubmitted(db: Db, workspaceId: WorkspaceId, blobId: string): Promise<boolean> {
  const { rows } = await sql`
    select from assets where blob_id = ${blobId} and workspace_id = ${workspaceId} limit 1`.execute(db);
  return rows.length > 0;
}
