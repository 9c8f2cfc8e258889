import type { MediaType } from '@assay/contract/media-types.ts';
import type { WorkspaceId } from '../access/caller.ts';
import type { Blobs } from '../handles/blobs.ts';
import type { Db } from '../handles/db.ts';
import type { BlobPath } from './blob-path.ts';

export async function insertBlob(
  db: Db,
  workspaceId: WorkspaceId,
  path: BlobPath,
  media: MediaType,
  place: Pick<Blobs, 'account' | 'container'>,
): Promise<void> {
  await db
    .insertInto('blobs')
    .values({
      blob_id: path.blobId,
      workspace_id: workspaceId,
      filename: path.filename,
      content_type: media.type,
      account: place.account,
      container: place.container,
    })
    .execute();
}

export async function wasIssued(db: Db, workspaceId: WorkspaceId, path: BlobPath): Promise<boolean> {
  const row = await db
    .selectFrom('blobs')
    .select('blob_id')
    .where('workspace_id', '=', workspaceId)
    .where('blob_id', '=', path.blobId)
    .where('filename', '=', path.filename)
    .executeTakeFirst();
  return row !== undefined;
}
