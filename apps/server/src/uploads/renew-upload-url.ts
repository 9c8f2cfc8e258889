import { Refusal } from '@assay/contract/refusals.ts';
import type { Call, Reply } from '../access/caller.ts';
import type { Handles } from '../handles/handles.ts';
import { parseBlobPath } from './blob-path.ts';
import { signUploadUrl } from './sign-upload-url.ts';
import { wasIssued } from './store.ts';

export async function renewUploadUrl(
  { caller, body }: Call<'renewUploadUrl'>,
  handles: Handles,
): Promise<Reply<'renewUploadUrl'>> {
  const path = parseBlobPath(body.blobPath);
  const isOwn = path?.workspaceId === caller.workspaceId && (await wasIssued(handles.db, caller.workspaceId, path));
  if (!path || !isOwn) throw new Refusal('invalid_blob_path');
  return signUploadUrl(path, handles);
}
