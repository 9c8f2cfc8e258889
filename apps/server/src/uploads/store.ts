import type { MediaType } from '@assay/contract/media-types.ts';
import { sql } from 'kysely';
import type { Caller, Mode, WorkspaceId } from '../access/caller.ts';
import type { BlobPlace } from '../handles/blobs.ts';
import type { Db } from '../handles/db.ts';
import { groupWrites } from '../handles/group-writes.ts';
import type { BlobPath } from './blob-path.ts';

type BlobRow = {
  blobId: string;
  workspaceId: WorkspaceId;
  filename: string;
  sentFilename: string | null;
  contentType: string;
  account: string;
  container: string;
  createdWith: Mode;
};

const groupsAtOnceMax = 4;
// One group per database handle, for as long as that lives.
const groups = new WeakMap<Db, (row: BlobRow) => Promise<void>>();

export function insertBlob(
  db: Db,
  { workspaceId, mode }: Pick<Caller, 'workspaceId' | 'mode'>,
  { blobId, filename }: BlobPath,
  media: MediaType,
  { account, container }: BlobPlace,
): Promise<void> {
  let insert = groups.get(db);
  if (!insert) {
    insert = groupWrites((rows) => insertBlobs(db, rows), groupsAtOnceMax);
    groups.set(db, insert);
  }
  const name = filename.normalize('NFC');
  const sentFilename = name === filename ? null : filename;
  const place = { account, container, createdWith: mode };
  return insert({ blobId, workspaceId, filename: name, sentFilename, contentType: media.type, ...place });
}

// By arrays, so that the statement is the same however many rows it takes.
async function insertBlobs(db: Db, rows: BlobRow[]): Promise<void> {
  const column = (name: keyof BlobRow) => rows.map((row) => row[name]);
  await sql`
    insert into blobs (blob_id, workspace_id, filename, sent_filename, content_type, account, container, created_with)
    select * from unnest(
      ${column('blobId')}::uuid[], ${column('workspaceId')}::uuid[], ${column('filename')}::text[],
      ${column('sentFilename')}::text[],
      ${column('contentType')}::text[], ${column('account')}::text[], ${column('container')}::text[],
      ${column('createdWith')}::text[]
    )`.execute(db);
}

/** Of these ids, the blobs that were issued to this workspace and not emptied since. */
export async function findBlobs(db: Db, workspaceId: WorkspaceId, blobIds: string[]) {
  const { rows } = await sql<BlobPlace & { blobId: string; filename: string; createdWith: Mode }>`
    select blob_id as "blobId", coalesce(sent_filename, filename) as filename, created_with as "createdWith", account, container from blobs
    where blob_id = any(${blobIds}::uuid[]) and workspace_id = ${workspaceId} and emptied_at is null`.execute(db);
  return rows;
}

export async function findBlobPlace(db: Db, workspaceId: WorkspaceId, blobId: string): Promise<BlobPlace | undefined> {
  const { rows } = await sql<BlobPlace>`
    select account, container from blobs where blob_id = ${blobId} and workspace_id = ${workspaceId}`.execute(db);
  return rows[0];
}
