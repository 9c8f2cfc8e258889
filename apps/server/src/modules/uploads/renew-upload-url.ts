import type { Call, Reply } from '#call/call.ts';
import type { Handles } from '#platform/handles.ts';
import { requireWritableBlob } from './require-own-blobs.ts';
import { requireSize } from './require-size.ts';
import { signUploadUrl } from './sign-upload-url.ts';
import { extendUpload } from './store.ts';

export async function renewUploadUrl(
  { caller, body }: Call<'renewUploadUrl'>,
  handles: Handles,
): Promise<Reply<'renewUploadUrl'>> {
  const { blobPath, sizeBytes } = body;
  const blob = await requireWritableBlob(handles.db, caller, blobPath);
  if (sizeBytes !== undefined) requireSize(blob.filename, sizeBytes, '/sizeBytes');
  const location = await extendUpload(handles.db, caller.workspaceId, blob.blobId, body);
  return signUploadUrl({ ...blob, ...location }, handles, sizeBytes);
}
