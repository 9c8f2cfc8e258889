import type { Call, Reply } from '#call/call.ts';
import type { Handles } from '#platform/handles.ts';
import { formatBlobPath, newBlobPath } from './blob-path.ts';
import { declaredType } from './declared-type.ts';
import { requireFilename } from './filename.ts';
import { recordWithinQuota, type StorageQuotas } from './quota/storage-quota.ts';
import { requireBytesOf } from './require-bytes-of.ts';
import { withScratchFile } from './scratch-file.ts';
import { insertBlob } from './store.ts';

export async function uploadDirect(
  { caller, file }: Call<'uploadDirect'>,
  { db, blobs }: Handles,
  quotas: StorageQuotas,
): Promise<Reply<'uploadDirect'>> {
  const { filename } = file;
  requireFilename(filename);
  // curl declares every part as application/octet-stream, which carries no information: the extension decides.
  const isUnspecific = file.contentType === undefined || /^application\/octet-stream\b/i.test(file.contentType);
  const media = declaredType(filename, isUnspecific ? undefined : file.contentType);
  const path = newBlobPath(caller.workspaceId, filename);
  const blobPath = formatBlobPath(path);

  // Bytes go to storage only once they are complete and match their declared type.
  return withScratchFile(file.bytes, async (scratch) => {
    await requireBytesOf({ media, filename, pointer: '/file' }, scratch);
    const { sizeBytes: countedBytes } = scratch;
    await recordWithinQuota(db, caller, quotas, { countedBytes, pointer: '/file' }, (room) => {
      return insertBlob(db, caller, { path, media, location: blobs.home, countedBytes, isMeasured: true }, room);
    });
    await blobs.put(blobPath, scratch.stream, scratch.sizeBytes, media.type);
    const contentSha256 = scratch.sha256.toString('hex');
    return { blobPath, sizeBytes: scratch.sizeBytes, contentType: media.type, contentSha256 };
  });
}
