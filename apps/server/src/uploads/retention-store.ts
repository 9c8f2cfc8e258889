import { sql } from 'kysely';
import type { Mode, WorkspaceId } from '../access/caller.ts';
import type { BlobPlace } from '../handles/blobs.ts';
import type { Db } from '../handles/db.ts';

export type KeptBlob = BlobPlace & {
  blobId: string;
  workspaceId: WorkspaceId;
  createdAt: Date;
  discardedAt: Date | null;
  emptiedAt: Date | null;
};

/**
 * A submission that used them is gone: they are looked at next. What a live key uploaded is not discarded with a
 * submission of the sandbox: it is kept like any upload.
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

/** The blob that is longest due, held until the transaction ends; over all workspaces. */
export async function takeDueBlob(db: Db, now: Date): Promise<KeptBlob | undefined> {
  const { rows } = await sql<KeptBlob>`
    select blob_id as "blobId", workspace_id as "workspaceId", created_at as "createdAt",
      discarded_at as "discardedAt", emptied_at as "emptiedAt", account, container
    from blobs where next_look_at <= ${now} and next_look_at < 'infinity'
    order by next_look_at limit 1 for update skip locked`.execute(db);
  return rows[0];
}

type RecordedFate = { emptiedAt: Date | null; isNameForgotten: boolean; nextLookAt: Date | 'infinity' };

export async function recordFate(
  db: Db,
  blobId: string,
  { emptiedAt, isNameForgotten, nextLookAt }: RecordedFate,
): Promise<void> {
  await sql`
    update blobs set emptied_at = ${emptiedAt}::timestamptz, next_look_at = ${nextLookAt}::timestamptz,
      filename = case when ${isNameForgotten} then null else filename end,
      sent_filename = case when ${isNameForgotten} then null else sent_filename end
    where blob_id = ${blobId}`.execute(db);
}

export async function postponeLook(db: Db, blobId: string, until: Date): Promise<void> {
  await db.updateTable('blobs').set({ next_look_at: until }).where('blob_id', '=', blobId).execute();
}

export async function removeBlob(db: Db, blobId: string): Promise<void> {
  await db.deleteFrom('blobs').where('blob_id', '=', blobId).execute();
}
