import type { MediaType } from '@assay/contract/media-types.ts';
import { sql } from 'kysely';
import type { Caller, Mode, WorkspaceId } from '#call/caller.ts';
import { groupWrites } from '#platform/mechanisms/group-writes.ts';
import type { Db } from '#platform/postgres/db.ts';
import type { BlobLocation } from '#platform/storage/blobs.ts';
import type { BlobPath } from './blob-path.ts';

/** What the caller declares about a file before it is uploaded. */
export type Declaration = { sizeBytes?: number | undefined; contentSha256?: string | undefined };

type BlobRow = BlobLocation & {
  blobId: string;
  workspaceId: WorkspaceId;
  filename: string;
  sentFilename: string | null;
  contentType: string;
  createdWith: Mode;
  declaredBytes: number | null;
  declaredSha256: Buffer | null;
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

export function insertBlob(
  db: Db,
  { workspaceId, mode }: Pick<Caller, 'workspaceId' | 'mode'>,
  { blobId, filename }: BlobPath,
  media: MediaType,
  { store, account, container }: BlobLocation,
  declaration: Declaration = {},
): Promise<void> {
  let insert = groupWriters.get(db);
  if (!insert) {
    insert = groupWrites((rows) => insertBlobs(db, rows), groupsAtOnceMax);
    groupWriters.set(db, insert);
  }
  const name = filename.normalize('NFC');
  const sentFilename = name === filename ? null : filename;
  const origin = { store, account, container, createdWith: mode };
  const declared = toColumns(declaration);
  return insert({ blobId, workspaceId, filename: name, sentFilename, contentType: media.type, ...origin, ...declared });
}

function toColumns({ sizeBytes, contentSha256 }: Declaration) {
  return {
    declaredBytes: sizeBytes ?? null,
    declaredSha256: contentSha256 === undefined ? null : Buffer.from(contentSha256, 'hex'),
  };
}

// With arrays, the statement is the same for any number of rows.
async function insertBlobs(db: Db, rows: BlobRow[]): Promise<void> {
  const column = (name: keyof BlobRow) => rows.map((row) => row[name]);
  await sql`
    insert into blobs
      (blob_id, workspace_id, filename, sent_filename, content_type, store, account, container, created_with,
        declared_bytes, declared_sha256)
    select * from unnest(
      ${column('blobId')}::uuid[], ${column('workspaceId')}::uuid[], ${column('filename')}::text[],
      ${column('sentFilename')}::text[],
      ${column('contentType')}::text[], ${column('store')}::text[], ${column('account')}::text[], ${column('container')}::text[],
      ${column('createdWith')}::text[], ${column('declaredBytes')}::bigint[], ${column('declaredSha256')}::bytea[]
    )`.execute(db);
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
 * have been moved since it was read; undefined when it was purged.
 */
export async function extendUpload(
  db: Db,
  workspaceId: WorkspaceId,
  blobId: string,
  declaration: Declaration,
): Promise<BlobLocation | undefined> {
  const { declaredBytes, declaredSha256 } = toColumns(declaration);
  const { rows } = await sql<BlobLocation>`
    update blobs set upload_until = default,
      declared_bytes = coalesce(${declaredBytes}::bigint, declared_bytes),
      declared_sha256 = coalesce(${declaredSha256}::bytea,
        case when declared_bytes <> ${declaredBytes}::bigint then null else declared_sha256 end)
    where blob_id = ${blobId} and workspace_id = ${workspaceId} and emptied_at is null
    returning store, account, container`.execute(db);
  return rows[0];
}
