import type { Call, Reply } from '#call/call.ts';
import type { Handles } from '#platform/handles.ts';
import { recordWithinQuota, reservedBytesOf, type StorageQuotas } from './quota/storage-quota.ts';
import { requireWritableBlob } from './require-own-blobs.ts';
import { requireSize } from './require-size.ts';
import { signUploadUrl } from './sign-upload-url.ts';
import { extendUpload } from './store.ts';

export async function renewUploadUrl(
  { caller, body }: Call<'renewUploadUrl'>,
  handles: Handles,
  quotas: StorageQuotas,
): Promise<Reply<'renewUploadUrl'>> {
  const { blobPath, sizeBytes } = body;
  const blob = await requireWritableBlob(handles.db, caller, blobPath);
  if (sizeBytes !== undefined) requireSize(blob.filename, sizeBytes, '/sizeBytes');
  const countedBytes = reservedBytesOf(blob.filename, sizeBytes ?? blob.declaredBytes);
  const location = await recordWithinQuota(
    handles.db,
    caller,
    quotas,
    { countedBytes, pointer: '/sizeBytes' },
    (room) => extendUpload(handles.db, caller.workspaceId, blob.blobId, body, countedBytes, room),
  );
  return signUploadUrl({ ...blob, ...location }, handles, sizeBytes);
}
