import type { Call, Reply } from '#call/call.ts';
import type { Handles } from '#platform/handles.ts';
import { newBlobPath } from './blob-path.ts';
import { declaredType } from './declared-type.ts';
import { requireFilename } from './filename.ts';
import { recordWithinQuota, reservedBytesOf, type StorageQuotas } from './quota/storage-quota.ts';
import { requireSize } from './require-size.ts';
import { signUploadUrl } from './sign-upload-url.ts';
import { insertBlob } from './store.ts';

export async function createUploadUrl(
  { caller, body }: Call<'createUploadUrl'>,
  handles: Handles,
  quotas: StorageQuotas,
): Promise<Reply<'createUploadUrl'>> {
  const { filename, sizeBytes } = body;
  requireFilename(filename);
  const media = declaredType(filename, body.contentType);
  if (sizeBytes !== undefined) requireSize(filename, sizeBytes, '/sizeBytes');
  const path = newBlobPath(caller.workspaceId, filename);
  const { home } = handles.blobs;
  const countedBytes = reservedBytesOf(filename, sizeBytes);
  await recordWithinQuota(handles.db, caller, quotas, { countedBytes, pointer: '/sizeBytes' }, (room) => {
    const blob = { path, media, location: home, declaration: body, countedBytes, isMeasured: false };
    return insertBlob(handles.db, caller, blob, room);
  });
  return signUploadUrl({ ...path, ...home }, handles, sizeBytes);
}
