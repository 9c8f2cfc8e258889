import { measuredAfterSeconds } from '@assay/contract/limits.ts';
import type { MediaType } from '@assay/contract/media-types.ts';
import { sql } from 'kysely';
import type { Caller, Mode, WorkspaceId } from '#call/caller.ts';
import { groupWrites } from '#platform/mechanisms/group-writes.ts';
import type { Db } from '#platform/postgres/db.ts';
import type { BlobLocation } from '#platform/storage/blobs.ts';
import type { BlobPath } from './blob-path.ts';
import { QuotaReached, type Room } from './quota/quota-store.ts';

/** What the caller declares about a file before it is uploaded. */
export type Declaration = { sizeBytes?: number | undefined; contentSha256?: string | undefined };

type BlobRow = BlobLocation &
  Room & {
    blobId: string;
    workspaceId: WorkspaceId;
    filename: string;
    sentFilename: string | null;
    contentType: string;
    createdWith: Mode;
    declaredBytes: number | null;
    declaredSha256: Buffer | null;
    countedBytes: number;
    isMeasured: boolean;
  };

export type NewBlob = {
  path: BlobPath;
  media: MediaType;
  location: BlobLocation;
  declaration?: Declaration;
  /** What it counts with against the quota. */
  countedBytes: number;
  /** Whether these are its bytes, and not what its upload URL may be used for. */
  isMeasured: boolean;
};

type FoundBlob = BlobLocation & {
  blobId: string;
  filename: string;
  createdWith: Mode;
  partUploadId: string | null;
  declaredBytes: number | null;
  declaredSha256: Buffer | null;
};

const groupsAtOnceMax = 4;
// One group writer per database handle, for its lifetime.
const groupWriters = new WeakMap<Db, (row: BlobRow) => Promise<void>>();

/** Fails with `QuotaReached` if there is no room for the blob. */
export function insertBlob(
  db: Db,
  { workspaceId, mode }: Pick<Caller, 'workspaceId' | 'mode'>,
  { path: { blobId, filename }, media, location, declaration = {}, countedBytes, isMeasured }: NewBlob,
  { bytesMax, filesMax }: Room,
): Promise<void> {
  let insert = groupWriters.get(db);
  if (!insert) {
    insert = groupWrites((rows) => insertBlobs(db, rows), groupsAtOnceMax);
    groupWriters.set(db, insert);
  }
  const name = filename.normalize('NFC');
  const sentFilename = name === filename ? null : filename;
  const { store, account, container } = location;
  const origin = { store, account, container, createdWith: mode };
  const declared = toColumns(declaration);
  const counted = { countedBytes, isMeasured, bytesMax, filesMax };
  return insert({
    ...{ blobId, workspaceId, filename: name, sentFilename, contentType: media.type },
    ...{ ...origin, ...declared, ...counted },
  });
}

function toColumns({ sizeBytes, contentSha256 }: Declaration) {
  return {
    declaredBytes: sizeBytes ?? null,
    declaredSha256: contentSha256 === undefined ? null : Buffer.from(contentSha256, 'hex'),
  };
}

/**
 * Inserts all or, if they exceed a quota together, none: then each is tried alone. What a workspace has added is locked
 * until the insert is committed, so that concurrent inserts do not exceed the quota together either.
 */
async function insertBlobs(db: Db, blobs: BlobRow[]): Promise<void> {
  // With arrays, the statement is the same for any number of rows.
  const column = (name: keyof BlobRow) => blobs.map((row) => row[name]);
  const { rows: exceeded } = await sql`
    with given as materialized (
      select * from unnest(
        ${column('blobId')}::uuid[], ${column('workspaceId')}::uuid[], ${column('filename')}::text[],
        ${column('sentFilename')}::text[],
        ${column('contentType')}::text[], ${column('store')}::text[], ${column('account')}::text[], ${column('container')}::text[],
        ${column('createdWith')}::text[], ${column('declaredBytes')}::bigint[], ${column('declaredSha256')}::bytea[],
        ${column('countedBytes')}::bigint[], ${column('isMeasured')}::boolean[], ${column('bytesMax')}::bigint[],
        ${column('filesMax')}::bigint[]
      ) as row (
        blob_id, workspace_id, filename, sent_filename, content_type, store, account, container, created_with,
        declared_bytes, declared_sha256, counted_bytes, is_measured, bytes_max, files_max
      )
    ), wanted as (
      select workspace_id, count(*) as files, sum(counted_bytes) as bytes, min(bytes_max) as bytes_max,
        min(files_max) as files_max
      from given group by workspace_id
    ), added as materialized (
      select workspace_id, files, bytes from storage_totals
      where workspace_id = any(${column('workspaceId')}::uuid[]) and shard = 0 order by workspace_id for update
    ), removed as (
      select workspace_id, sum(files) as files, sum(bytes) as bytes from storage_totals
      where workspace_id = any(${column('workspaceId')}::uuid[]) and shard > 0 group by workspace_id
    ), exceeded as materialized (
      select from wanted w left join added a using (workspace_id) left join removed r using (workspace_id)
      where w.bytes + coalesce(a.bytes, 0) + coalesce(r.bytes, 0) > w.bytes_max
        or w.files + coalesce(a.files, 0) + coalesce(r.files, 0) > w.files_max
    ), inserted as (
      insert into blobs
        (blob_id, workspace_id, filename, sent_filename, content_type, store, account, container, created_with,
          declared_bytes, declared_sha256, counted_bytes, measure_at)
      select blob_id, workspace_id, filename, sent_filename, content_type, store, account, container, created_with,
        declared_bytes, declared_sha256, counted_bytes,
        case when not is_measured then now() + make_interval(secs => ${measuredAfterSeconds}) end
      from given where not exists (select from exceeded)
    )
    select from exceeded`.execute(db);
  if (exceeded.length > 0) throw new QuotaReached();
}

/** The blobs with these ids that were issued to this workspace and have not been purged. */
export async function findBlobs(db: Db, workspaceId: WorkspaceId, blobIds: string[]) {
  const { rows } = await sql<FoundBlob>`
    select blob_id as "blobId", coalesce(sent_filename, filename) as filename, created_with as "createdWith",
      part_upload_id as "partUploadId", declared_bytes::float8 as "declaredBytes", declared_sha256 as "declaredSha256",
      store, account, container
    from blobs
    where blob_id = any(${blobIds}::uuid[]) and workspace_id = ${workspaceId} and emptied_at is null`.execute(db);
  return rows;
}

/**
 * Where a blob is, and the current ETag of the bytes that had this ETag when they were inspected. The two ETags differ
 * after a move to another store. Location and ETag are read in one statement, so that they belong together.
 */
export async function findPinnedBlob(
  db: Db,
  workspaceId: WorkspaceId,
  blobId: string,
  etag: string,
): Promise<(BlobLocation & { etag: string }) | undefined> {
  const { rows } = await sql<BlobLocation & { etag: string }>`
    select store, account, container,
      case when ${etag}::text = any(former_etags) then etag else ${etag}::text end as etag
    from blobs where blob_id = ${blobId} and workspace_id = ${workspaceId}`.execute(db);
  return rows[0];
}

/**
 * Called before an upload URL is issued again, so that the blob is not moved until that URL has expired. A declaration
 * replaces the earlier one; a different size without a hash drops the hash. Returns where the blob is, because it may
 * have been moved since it was read; undefined when it was purged. Fails with `QuotaReached` if the blob now counts with
 * more bytes, for which there is no room.
 */
export async function extendUpload(
  db: Db,
  workspaceId: WorkspaceId,
  blobId: string,
  declaration: Declaration,
  reservedBytes: number,
  { bytesMax, filesMax }: Room,
): Promise<BlobLocation | undefined> {
  const { declaredBytes, declaredSha256 } = toColumns(declaration);
  // The blob is locked before the total, in the same order as by a sweep.
  const { rows } = await sql<BlobLocation & { isExceeded: boolean }>`
    with blob as materialized (
      select blob_id, workspace_id, coalesce(counted_bytes, 0) as old_bytes,
        greatest(counted_bytes, ${reservedBytes}::bigint) as new_bytes
      from blobs
      where blob_id = ${blobId} and workspace_id = ${workspaceId} and emptied_at is null for update
    ), added as materialized (
      select t.files, t.bytes from blob b join storage_totals t using (workspace_id)
      where t.shard = 0 and b.new_bytes > b.old_bytes for update of t
    ), exceeded as materialized (
      select from blob b, added a, (
        select coalesce(sum(files), 0) as files, coalesce(sum(bytes), 0) as bytes from storage_totals
        where workspace_id = ${workspaceId} and shard > 0
      ) as r
      where b.new_bytes - b.old_bytes + a.bytes + r.bytes > ${bytesMax}::bigint
        or a.files + r.files > ${filesMax}::bigint
    ), extended as (
      update blobs b set upload_until = default, counted_bytes = blob.new_bytes,
        measure_at = now() + make_interval(secs => ${measuredAfterSeconds}),
        declared_bytes = coalesce(${declaredBytes}::bigint, declared_bytes),
        declared_sha256 = coalesce(${declaredSha256}::bytea,
          case when declared_bytes <> ${declaredBytes}::bigint then null else declared_sha256 end)
      from blob where b.blob_id = blob.blob_id and not exists (select from exceeded)
      returning store, account, container
    )
    select store, account, container, false as "isExceeded" from extended
    union all
    select null, null, null, true from exceeded`.execute(db);
  const [found] = rows;
  if (found?.isExceeded) throw new QuotaReached();
  return found && { store: found.store, account: found.account, container: found.container };
}
