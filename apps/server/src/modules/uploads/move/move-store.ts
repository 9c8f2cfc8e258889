import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { WorkspaceId } from '#call/caller.ts';
import type { Db } from '#platform/postgres/db.ts';
import type { BlobLocation } from '#platform/storage/blobs.ts';
import type { CopiedBlob } from '#platform/storage/copy-blob.ts';

/** Blobs are moved from any place in the store of `from`, to exactly `to`. */
export type MoveRoute = { from: BlobLocation; to: BlobLocation };

/**
 * - `ready`: can be moved now
 * - `uploading`: an upload URL for the old store may still be valid, or parts are stored there that are not joined yet
 * - `purging`: its bytes are being deleted; the second purge is due within 65 minutes
 * - `record`: its bytes are deleted, only its record is left to move
 * - `unreachable`: in an account that is not configured
 * - `blocked`: has an old copy at a third place, which may still be read
 * - `old copy`: moved, and its old copy can be deleted
 * - `kept copy`: moved, but its old copy may still be read
 * - `elsewhere`: not part of this move
 */
export type BlobState =
  | 'ready'
  | 'uploading'
  | 'purging'
  | 'record'
  | 'unreachable'
  | 'blocked'
  | 'old copy'
  | 'kept copy'
  | 'elsewhere';

export type MovableBlob = {
  blobId: string;
  workspaceId: WorkspaceId;
  /** Null when its bytes are deleted. */
  filename: string | null;
  contentType: string;
  place: BlobLocation;
  other: BlobLocation | null;
  state: BlobState;
};

/** After this time, requests that read the place before the switch have finished: each is limited to seconds. */
const oldCopyMinutes = 15;

const isAt = ({ store, account, container }: BlobLocation) =>
  sql`(store, account, container) = (${store}, ${account}, ${container})`;
const isOtherPlace = ({ store, account, container }: BlobLocation) =>
  sql`(other_store, other_account, other_container) = (${store}, ${account}, ${container})`;

/** Whether the other place may still be read: just after the switch, or by a long download of an examination. */
const mayBeRead = sql`(
  moved_at > now() - make_interval(mins => ${oldCopyMinutes})
  or exists (
    select from assets a
    where a.blob_id = blobs.blob_id and a.workspace_id = blobs.workspace_id and a.completed_at is null
  )
)`;

/** The next blobs by id, in any state, so that the statement reads a limited number of rows. */
export async function listBlobs(db: Db, { from, to }: MoveRoute, after: string, count: number): Promise<MovableBlob[]> {
  const { rows } = await sql<MovableBlob>`
    select blob_id as "blobId", workspace_id as "workspaceId", filename, content_type as "contentType",
      jsonb_build_object('store', store, 'account', account, 'container', container) as place,
      case when other_store is not null then
        jsonb_build_object('store', other_store, 'account', other_account, 'container', other_container) end as other,
      case
        when store = ${from.store} then
          case
            when emptied_at is not null then case when next_look_at = 'infinity' then 'record' else 'purging' end
            when account <> ${from.account} then 'unreachable'
            when upload_until > now() or part_upload_id is not null then 'uploading'
            when other_store is not null and not ${isOtherPlace(to)} and ${mayBeRead} then 'blocked'
            else 'ready'
          end
        when other_store = ${from.store} then
          case when ${mayBeRead} then 'kept copy' else 'old copy' end
        else 'elsewhere'
      end as state
    from blobs where blob_id > ${after} order by blob_id limit ${count}`.execute(db);
  return rows;
}

/**
 * Records that bytes may be at the target from now on, so that a purge deletes them there too, even if this process is
 * killed. Returns a token for `switchPlace`; undefined if the blob cannot be moved any more.
 */
export async function claimBlob(db: Db, { blobId, place }: MovableBlob, to: BlobLocation): Promise<string | undefined> {
  const { rows } = await sql<{ token: string }>`
    update blobs set other_store = ${to.store}, other_account = ${to.account}, other_container = ${to.container}
    where blob_id = ${blobId} and ${isAt(place)} and emptied_at is null and upload_until <= now() and part_upload_id is null
      and (other_store is null or ${isOtherPlace(to)})
    returning upload_until::text as token`.execute(db);
  return rows[0]?.token;
}

/**
 * Lets the blob be read at the target from now on, with the ETag of the copy. Returns false if the blob was purged
 * since it was claimed, or if an upload URL was issued, because then the source may have other bytes.
 */
export async function switchPlace(
  db: Db,
  { blobId, place }: MovableBlob,
  to: BlobLocation,
  token: string,
  copied: CopiedBlob | undefined,
): Promise<boolean> {
  const { etag = null, copyEtag = null } = copied ?? {};
  const { numAffectedRows } = await sql`
    update blobs set store = ${to.store}, account = ${to.account}, container = ${to.container},
      other_store = ${place.store}, other_account = ${place.account}, other_container = ${place.container},
      moved_at = now(), etag = ${copyEtag}::text,
      former_etags = case when etag = ${etag}::text then former_etags || etag
        when ${etag}::text is not null then array[${etag}::text] end
    where blob_id = ${blobId} and ${isAt(place)} and ${isOtherPlace(to)} and emptied_at is null
      and upload_until = ${token}::timestamptz`.execute(db);
  return numAffectedRows === 1n;
}

/** Whether the blob is at this place. */
export async function isPlacedAt(db: Db, { blobId }: MovableBlob, place: BlobLocation): Promise<boolean> {
  const { rows } = await sql`select from blobs where blob_id = ${blobId} and ${isAt(place)}`.execute(db);
  return rows.length > 0;
}

/** Moves the records of blobs whose bytes are deleted, so that the old store is not needed for them either. */
export async function moveRecords(db: Db, blobIds: string[], { from, to }: MoveRoute): Promise<number> {
  const { numAffectedRows } = await sql`
    update blobs set store = ${to.store}, account = ${to.account}, container = ${to.container},
      other_store = null, other_account = null, other_container = null
    where blob_id = any(${blobIds}::uuid[]) and store = ${from.store} and emptied_at is not null
      and next_look_at = 'infinity'`.execute(db);
  return Number(numAffectedRows);
}

/** Called when the bytes at the other place have been deleted. */
export async function forgetOtherPlace(db: Db, { blobId }: MovableBlob, other: BlobLocation): Promise<void> {
  await sql`
    update blobs set other_store = null, other_account = null, other_container = null
    where blob_id = ${blobId} and ${isOtherPlace(other)}`.execute(db);
}

/** The id of the advisory lock that a move of media holds. The number is arbitrary. */
export const moveLock = 7_118_303;

/** PostgreSQL may take a moment to release the lock of a process that was killed. */
const lockTriesMax = 10;
const lockRetryMillis = 200;

/** Runs the work, or returns undefined if another process is moving media. */
export async function withMoveLock<T>(connection: Db, work: () => Promise<T>): Promise<T | undefined> {
  for (let tries = 1; !(await tryLock(connection)); tries++) {
    if (tries === lockTriesMax) return undefined;
    await sleep(lockRetryMillis);
  }
  try {
    return await work();
  } finally {
    // If the connection is broken, the lock was released with it.
    await sql`select pg_advisory_unlock(${moveLock})`.execute(connection).catch(() => {});
  }
}

async function tryLock(connection: Db): Promise<boolean> {
  const { rows } = await sql<{ isLocked: boolean }>`
    select pg_try_advisory_lock(${moveLock}) as "isLocked"`.execute(connection);
  return rows[0]?.isLocked ?? false;
}
