import type { Call, Reply } from '../access/caller.ts';
import type { Handles } from '../handles/handles.ts';
import type { BlobPath } from './blob-path.ts';
import { requireOwnBlobs } from './require-own-blobs.ts';
import { signUploadUrl } from './sign-upload-url.ts';

export async function renewUploadUrl(
  { caller, body }: Call<'renewUploadUrl'>,
  handles: Handles,
): Promise<Reply<'renewUploadUrl'>> {
  const [path] = await requireOwnBlobs(handles.db, caller.workspaceId, [body.blobPath], ['/blobPath']);
  return signUploadUrl(path as BlobPath, handles);
}
