import type { Call, Reply } from '../access/caller.ts';
import type { Handles } from '../handles/handles.ts';
import { formatBlobPath, newBlobPath } from './blob-path.ts';
import { declaredType } from './declared-type.ts';
import { requireFilename } from './filename.ts';
import { requireBytesOf } from './require-bytes-of.ts';
import { withScratchFile } from './scratch-file.ts';
import { insertBlob } from './store.ts';

export async function uploadDirect(
  { caller, file }: Call<'uploadDirect'>,
  { db, blobs }: Handles,
): Promise<Reply<'uploadDirect'>> {
  const { filename } = file;
  requireFilename(filename);
  // curl names every part application/octet-stream: that says nothing, so the extension decides.
  const saysNothing = file.contentType === undefined || /^application\/octet-stream\b/i.test(file.contentType);
  const media = declaredType(filename, saysNothing ? undefined : file.contentType);
  const path = newBlobPath(caller.workspaceId, filename);
  const blobPath = formatBlobPath(path);

  // Storage sees the bytes only once they are known to be whole and what they claim to be.
  return withScratchFile(file.bytes, async (scratch) => {
    await requireBytesOf({ media, filename, pointer: '/file' }, scratch);
    await insertBlob(db, caller, path, media, blobs.home);
    await blobs.put(blobPath, scratch.stream, scratch.sizeBytes, media.type);
    return { blobPath, sizeBytes: scratch.sizeBytes, contentType: media.type };
  });
}
