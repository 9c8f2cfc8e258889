import { blobPathBytesMax } from '@assay/contract/limits.ts';
import { type FieldError, Refusal } from '@assay/contract/refusals.ts';
import type { Caller, Mode, WorkspaceId } from '#call/caller.ts';
import { refuseChangeOfLive } from '#call/refuse-change-of-live.ts';
import type { Db } from '#platform/postgres/db.ts';
import type { BlobLocation } from '#platform/storage/blobs.ts';
import { type BlobPath, formatBlobPath, isTooLong, parseBlobPath } from './blob-path.ts';
import { findBlobs } from './store.ts';

export type OwnBlob = BlobPath &
  BlobLocation & {
    createdWith: Mode;
    partUploadId: string | null;
    declaredBytes: number | null;
    declaredSha256: Buffer | null;
  };

/** 403 unless the path was issued to this workspace, and for a sandbox key also if a live key created the upload. */
export async function requireWritableBlob(db: Db, caller: Caller, blobPath: string): Promise<OwnBlob> {
  const [blob] = (await requireOwnBlobs(db, caller.workspaceId, [blobPath], ['/blobPath'])) as [OwnBlob];
  refuseChangeOfLive(caller, blob.createdWith, 'live_upload');
  return blob;
}

/** §4.3: 403 unless each path was issued to this workspace. `pointers` name the fields of the request. */
export async function requireOwnBlobs(
  db: Db,
  workspaceId: WorkspaceId,
  blobPaths: string[],
  pointers: string[],
): Promise<OwnBlob[]> {
  const paths = blobPaths.map(parseBlobPath);
  const ids = paths.flatMap((path) => (path?.workspaceId === workspaceId ? path.blobId : []));
  const issued = new Map((await findBlobs(db, workspaceId, ids)).map((blob) => [blob.blobId, blob]));
  const owned = paths.map((path) => {
    const blob = path && issued.get(path.blobId);
    return blob && formatBlobPath({ ...blob, workspaceId }) === formatBlobPath(path)
      ? { ...blob, workspaceId }
      : undefined;
  });
  const errors = owned.flatMap((blob, i): FieldError[] =>
    blob ? [] : [{ pointer: pointers[i] ?? '', ...pathError(blobPaths[i] ?? '') }],
  );
  if (errors.length > 0) throw new Refusal('invalid_blob_path', { errors });
  return owned.filter((blob) => blob !== undefined);
}

function pathError(blobPath: string): Omit<FieldError, 'pointer'> {
  return isTooLong(blobPath)
    ? { code: 'too_long', detail: `blobPath can be up to ${blobPathBytesMax.toLocaleString('en-US')} bytes.` }
    : { code: 'not_issued', detail: 'Unknown blobPath.' };
}
