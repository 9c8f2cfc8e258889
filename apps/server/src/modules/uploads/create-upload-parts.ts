import { Refusal } from '@assay/contract/refusals.ts';
import type { Call, Reply } from '#call/call.ts';
import type { WorkspaceId } from '#call/caller.ts';
import type { Handles } from '#platform/handles.ts';
import type { PartUploads } from '#platform/storage/part-uploads.ts';
import { formatBlobPath } from './blob-path.ts';
import { recordPartUpload } from './part-upload-store.ts';
import { recordWithinQuota, reservedBytesOf, type StorageQuotas } from './quota/storage-quota.ts';
import { type OwnBlob, requireWritableBlob } from './require-own-blobs.ts';
import { mediaOf } from './require-size.ts';
import { urlExpiry } from './sign-upload-url.ts';
import { extendUpload } from './store.ts';

const triesMax = 5;

export async function createUploadParts(
  { caller, body }: Call<'createUploadParts'>,
  handles: Handles,
  quotas: StorageQuotas,
): Promise<Reply<'createUploadParts'>> {
  const own = await requireWritableBlob(handles.db, caller, body.blobPath);
  const declaration = { contentSha256: body.contentSha256 };
  const countedBytes = reservedBytesOf(own.filename, own.declaredBytes);
  const location = await recordWithinQuota(handles.db, caller, quotas, { countedBytes, pointer: '/blobPath' }, (room) =>
    extendUpload(handles.db, caller.workspaceId, own.blobId, declaration, countedBytes, room),
  );
  const blob = { ...own, ...location };
  const blobPath = formatBlobPath(blob);
  const uploads = await handles.blobs.partUploadsOf(blob, blobPath);
  const { uploadId, stored } = await findOrOpenUpload(handles, caller.workspaceId, blob, uploads);
  const sizes = new Map(stored.map(({ partNumber, sizeBytes }) => [partNumber, sizeBytes]));
  const expiresAt = await urlExpiry(blob, handles);
  const urls = await uploads.sign(uploadId, body.partCount, expiresAt);
  return {
    blobPath,
    expiresAt: expiresAt.toISOString(),
    method: 'PUT',
    headers: [],
    parts: urls.map((uploadUrl, i) => ({ partNumber: i + 1, uploadUrl, sizeBytes: sizes.get(i + 1) ?? null })),
  };
}

/** The unfinished upload of the blob with its stored parts, or a new one. */
async function findOrOpenUpload({ db, clock }: Handles, workspaceId: WorkspaceId, blob: OwnBlob, uploads: PartUploads) {
  let known = blob.partUploadId;
  for (let tries = 1; tries <= triesMax; tries++) {
    const stored = known === null ? undefined : await uploads.list(known);
    if (known !== null && stored) return { uploadId: known, stored };
    const opened = await uploads.open(mediaOf(blob.filename).type);
    const recorded = await recordPartUpload(db, workspaceId, blob.blobId, known, opened, clock.now());
    if (recorded === opened) return { uploadId: opened, stored: [] };
    await uploads.abort(opened);
    // The blob was purged meanwhile (undefined), or another request has recorded its upload first.
    if (recorded === undefined) throw new Refusal('invalid_blob_path');
    known = recorded;
  }
  throw new Refusal('service_unavailable', { internal: `${triesMax} uploads in parts ended while they were listed` });
}
