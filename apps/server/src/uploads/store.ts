import type { MediaType } from '@assay/contract/media-types.ts';
import { sql } from 'kysely';
import type { Caller, Mode, WorkspaceId } from '../access/caller.ts';
import type { BlobLocation } from '../handles/blobs/blobs.ts';
import type { Db } from '../handles/db.ts';
import { groupWrites } from '../handles/group-writes.ts';
import type { BlobPath } from './blob-path.ts';

type BlobRow = BlobLocation & {
  blobId: string;
  workspaceId: WorkspaceId;
  filename: string;
  sentFilename: string | null;
  contentType: string;
  createdWith: Mode;
};

type FoundBlob = BlobLocation & { blobId: string; filename: string; createdWith: Mode; partUploadId: string | null };

const groupsAtOnceMax = 4;
// One group per database handle, for its lifetime.
const groups = new WeakMap<Db, (row: BlobRow) => Promise<void>>();

export function insertBlob(
  db: Db,
  { workspaceId, mode }: Pick<Caller, 'workspaceId' | 'mode'>,
  { blobId, filename }: BlobPath,
  media: MediaType,
  { store, account, container }: BlobLocation,
): Promise<void> {
  let insert = groups.get(db);
  if (!insert) {
    insert = groupWrites((rows) => insertBlobs(db, rows), groupsAtOnceMax);
    groups.set(db, insert);
  }
  const name = filename.normalize('NFC');
  const sentFilename = name === filename ? null : filename;
  const origin = { store, account, container, createdWith: mode };
  return insert({ blobId, workspaceId, filename: name, sentFilename, contentType: media.type, ...origin });
}

// With arrays, so that the statement is the same for any number of rows.
async function insertBlobs(db: Db, rows: BlobRow[]): Promise<void> {
  const column = (name: keyof BlobRow) => rows.map((row) => row[name]);
  await sql`
    insert into blobs
      (blob_id, workspace_id, filename, sent_filename, content_type, store, account, container, created_with)
    select * from unnest(
      ${column('blobId')}::uuid[], ${column('workspaceId')}::uuid[], ${column('filename')}::text[],
      ${column('sentFilename')}::text[],
      ${column('contentType')}::text[], ${column('store')}::text[], ${column('account')}::text[], ${column('container')}::text[],
      ${column('createdWith')}::text[]
    )`.execute(db);
}

/** The blobs with these ids that were issued to this workspace and have not been purged. */
export async function findBlobs(db: Db, workspaceId: WorkspaceId, blobIds: string[]) {
  const { rows } = await sql<FoundBlob>`
    select blob_id as "blobId", coalesce(sent_filename, filename) as filename, created_with as "createdWith",
      part_upload_id as "partUploadId", store, account, container
    from blobs
    where blob_id = any(${blobIds}::uuid[]) and workspace_id = ${workspaceId} and emptied_at is null`.execute(db);
  return rows;
}

/**
 * Where a blob is, and the ETag there of the bytes that had this ETag when they were inspected. They differ after the
 * blob was moved to another store. Read in one statement, so that place and ETag belong together.
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
 * Called before an upload URL is issued again: until it has expired, the blob is not moved. Returns where the blob is,
 * as it may have been moved since it was read; undefined when it was purged.
 */
export async function extendUpload(
  db: Db,
  workspaceId: WorkspaceId,
  blobId: string,
): Promise<BlobLocation | undefined> {
  const { rows } = await sql<BlobLocation>`
    update blobs set upload_until = default
    where blob_id = ${blobId} and workspace_id = ${workspaceId} and emptied_at is null
    returning store, account, container`.execute(db);
  return rows[0];
}
