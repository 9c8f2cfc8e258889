import type { Call, Reply } from '#call/call.ts';
import type { Handles } from '#platform/handles.ts';
import { newBlobPath } from './blob-path.ts';
import { declaredType } from './declared-type.ts';
import { requireFilename } from './filename.ts';
import { requireSize } from './require-size.ts';
import { signUploadUrl } from './sign-upload-url.ts';
import { insertBlob } from './store.ts';

export async function createUploadUrl(
  { caller, body }: Call<'createUploadUrl'>,
  handles: Handles,
): Promise<Reply<'createUploadUrl'>> {
  const { filename, sizeBytes } = body;
  requireFilename(filename);
  const media = declaredType(filename, body.contentType);
  if (sizeBytes !== undefined) requireSize(filename, sizeBytes, '/sizeBytes');
  const path = newBlobPath(caller.workspaceId, filename);
  const { home } = handles.blobs;
  await insertBlob(handles.db, caller, path, media, home, body);
  return signUploadUrl({ ...path, ...home }, handles, sizeBytes);
}
