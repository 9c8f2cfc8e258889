import { setTimeout as sleep } from 'node:timers/promises';
import { partBytesMin } from '@assay/contract/limits.ts';
import { type FieldError, Refusal } from '@assay/contract/refusals.ts';
import type { Call, Reply } from '#call/call.ts';
import type { Handles } from '#platform/handles.ts';
import type { StoredPart } from '#platform/storage/backend.ts';
import { formatBlobPath } from './blob-path.ts';
import { forgetPartUpload } from './part-upload-store.ts';
import { requireWritableBlob } from './require-own-blobs.ts';
import { mediaOf, requireSize } from './require-size.ts';

/** A store that copies the parts needs seconds for a large file, and shows neither parts nor blob meanwhile. */
const triesMax = 20;
const waitMillis = 1000;

/** Many proxies close a connection that is silent for 60 s. */
const answerMillisMax = 45_000;

/**
 * 502 if the store needs longer than a connection stays open. It goes on joining the parts, and the caller repeats the
 * request until the file is stored.
 */
export async function completeUploadParts(
  call: Call<'completeUploadParts'>,
  handles: Handles,
): Promise<Reply<'completeUploadParts'>> {
  const tooLong = Promise.withResolvers<never>();
  const refuse = () =>
    tooLong.reject(new Refusal('storage_unavailable', { internal: 'the storage is still joining the parts' }));
  const timer = setTimeout(refuse, Math.min(answerMillisMax, 0.75 * call.silentMillisMax));
  return Promise.race([joinParts(call, handles), tooLong.promise]).finally(() => clearTimeout(timer));
}

async function joinParts(
  { caller, body }: Call<'completeUploadParts'>,
  { db, blobs }: Handles,
): Promise<Reply<'completeUploadParts'>> {
  const blob = await requireWritableBlob(db, caller, body.blobPath);
  const blobPath = formatBlobPath(blob);
  const contentType = mediaOf(blob.filename).type;
  const uploads = await blobs.partUploadsOf(blob, blobPath);
  const { partUploadId: uploadId } = blob;
  const answer = async (sizeBytes: number) => {
    if (uploadId !== null) await forgetPartUpload(db, caller.workspaceId, blob.blobId, uploadId);
    return { blobPath, sizeBytes, contentType };
  };

  for (let tries = 1; ; tries++) {
    const stored = uploadId === null ? undefined : await uploads.list(uploadId);
    if (uploadId !== null && stored) {
      const errors = missingPartErrors(stored, body.partCount);
      // Some stores list too few parts while another request begins to join them, so the parts are listed twice.
      if (errors.length > 0 && tries > 1) throw new Refusal('parts_missing', { errors });
      if (errors.length === 0) {
        const parts = stored.filter(({ partNumber }) => partNumber <= body.partCount);
        requireLargeParts(parts);
        const sizeBytes = parts.reduce((sum, part) => sum + part.sizeBytes, 0);
        requireSize(blob.filename, sizeBytes, '/blobPath');
        const isJoined = await uploads.complete(uploadId, parts, contentType);
        if (isJoined && (await uploads.storedBytes()) === sizeBytes) return answer(sizeBytes);
      }
    } else {
      const sizeBytes = await uploads.storedBytes();
      if (sizeBytes !== undefined) return answer(sizeBytes);
      if (uploadId === null || tries >= triesMax)
        throw new Refusal('parts_missing', { errors: missingPartErrors([], body.partCount) });
    }
    if (tries >= triesMax) throw new Refusal('storage_unavailable', { internal: 'parts change while they are joined' });
    // Another request may be joining the parts.
    await sleep(waitMillis);
  }
}

/** 422 unless all but the last are large enough for every store. */
function requireLargeParts(parts: StoredPart[]): void {
  const small = parts.slice(0, -1).filter(({ sizeBytes }) => sizeBytes < partBytesMin);
  if (small.length === 0) return;
  throw new Refusal('part_too_small', {
    errors: small.map(({ partNumber, sizeBytes }) => ({
      pointer: '/partCount',
      code: 'part_too_small',
      detail: `Part ${partNumber} has ${sizeBytes} bytes.`,
    })),
  });
}

function missingPartErrors(stored: StoredPart[], partCount: number): FieldError[] {
  const numbers = new Set(stored.map(({ partNumber }) => partNumber));
  return Array.from({ length: partCount }, (_, i) => i + 1)
    .filter((partNumber) => !numbers.has(partNumber))
    .map((partNumber) => ({
      pointer: '/partCount',
      code: 'part_missing',
      detail: `Part ${partNumber} is not stored.`,
    }));
}
