import { sql } from 'kysely';
import type { WorkspaceId } from '#call/caller.ts';
import type { Db } from '#platform/postgres/db.ts';

/** Unfinished uploads in parts are aborted when they are this old. */
export const unfinishedHoursMax = 48;

/**
 * Records an upload in parts, unless an upload other than `known` is recorded. Returns the id of the recorded upload,
 * null if there is none, and undefined if the blob was purged.
 */
export async function recordPartUpload(
  db: Db,
  workspaceId: WorkspaceId,
  blobId: string,
  known: string | null,
  uploadId: string,
  now: Date,
): Promise<string | null | undefined> {
  const checkAt = new Date(now.getTime() + unfinishedHoursMax * 3_600_000);
  const { rows: updated } = await sql`
    update blobs
    set part_upload_id = ${uploadId}, part_upload_at = ${now}::timestamptz,
      next_look_at = least(next_look_at, ${checkAt}::timestamptz)
    where blob_id = ${blobId} and workspace_id = ${workspaceId} and emptied_at is null
      and part_upload_id is not distinct from ${known}
    returning 1`.execute(db);
  if (updated.length > 0) return uploadId;
  const { rows } = await sql<{ id: string | null }>`
    select part_upload_id as id from blobs
    where blob_id = ${blobId} and workspace_id = ${workspaceId} and emptied_at is null`.execute(db);
  return rows[0]?.id;
}

/** Called when the upload has ended. What is stored now is measured next. */
export async function forgetPartUpload(
  db: Db,
  workspaceId: WorkspaceId,
  blobId: string,
  uploadId: string,
): Promise<void> {
  await sql`
    update blobs set part_upload_id = null, part_upload_at = null,
      measure_at = case when emptied_at is null then now() end
    where blob_id = ${blobId} and workspace_id = ${workspaceId} and part_upload_id = ${uploadId}`.execute(db);
}
