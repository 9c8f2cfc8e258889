import { presignedUrlLifetimeSeconds } from '@assay/contract/limits.ts';
import type { BlobLocation } from '../handles/blobs/blobs.ts';
import type { Handles } from '../handles/handles.ts';
import { type BlobPath, formatBlobPath } from './blob-path.ts';

// §4.1: the URL expires 1 hour after issue. Signatures have whole seconds, and so has the answer.
export async function signUploadUrl(path: BlobPath & BlobLocation, { blobs, clock }: Pick<Handles, 'blobs' | 'clock'>) {
  const nowSeconds = Math.floor(clock.now().getTime() / 1000);
  const expiresAt = new Date((nowSeconds + presignedUrlLifetimeSeconds) * 1000);
  const blobPath = formatBlobPath(path);
  const uploadUrl = await blobs.signUpload(path, blobPath, expiresAt);
  return { uploadUrl, blobPath, expiresAt: expiresAt.toISOString() };
}
