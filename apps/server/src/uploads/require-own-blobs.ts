import { type FieldError, Refusal } from '@assay/contract/refusals.ts';
import type { WorkspaceId } from '../access/caller.ts';
import type { Db } from '../handles/db.ts';
import { type BlobPath, parseBlobPath } from './blob-path.ts';
import { findBlobs } from './store.ts';

/** §4.3: 403 unless each path was issued to this workspace, exactly as it is. `pointers` name them in the request. */
export async function requireOwnBlobs(
  db: Db,
  workspaceId: WorkspaceId,
  blobPaths: string[],
  pointers: string[],
): Promise<BlobPath[]> {
  const paths = blobPaths.map(parseBlobPath);
  const ids = paths.flatMap((path) => (path?.workspaceId === workspaceId ? path.blobId : []));
  const issued = new Map((await findBlobs(db, workspaceId, ids)).map(({ blobId, filename }) => [blobId, filename]));
  const isOwn = (path: BlobPath | undefined): path is BlobPath =>
    path?.workspaceId === workspaceId && issued.get(path.blobId) === path.filename;
  const errors = paths.flatMap((path, i): FieldError[] =>
    isOwn(path) ? [] : [{ pointer: pointers[i] ?? '', code: 'not_issued', detail: 'Not a path of this workspace.' }],
  );
  if (errors.length > 0) throw new Refusal('invalid_blob_path', { errors });
  return paths.filter(isOwn);
}
