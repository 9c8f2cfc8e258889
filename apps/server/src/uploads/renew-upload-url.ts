import type { Call, Reply } from '../access/caller.ts';
import { refuseChangeOfLive } from '../access/refuse-change-of-live.ts';
import type { Handles } from '../handles/handles.ts';
import { type OwnBlob, requireOwnBlobs } from './require-own-blobs.ts';
import { signUploadUrl } from './sign-upload-url.ts';

export async function renewUploadUrl(
  { caller, body }: Call<'renewUploadUrl'>,
  handles: Handles,
): Promise<Reply<'renewUploadUrl'>> {
  const [blob] = (await requireOwnBlobs(handles.db, caller.workspaceId, [body.blobPath], ['/blobPath'])) as [OwnBlob];
  refuseChangeOfLive(caller, blob.createdWith, 'live_upload');
  return signUploadUrl(blob, handles);
}
