import { presignedUrlLifetimeSeconds } from '@assay/contract/limits.ts';
import type { BlobPlace } from '../handles/blobs.ts';
import type { Handles } from '../handles/handles.ts';
import { type BlobPath, formatBlobPath } from './blob-path.ts';

// §4.1: the URL expires 1 hour after issue. A signature carries whole seconds, so the answer says those.
export function signUploadUrl(path: BlobPath & BlobPlace, { blobs, clock }: Pick<Handles, 'blobs' | 'clock'>) {
  const nowSeconds = Math.floor(clock.now().getTime() / 1000);
  const expiresAt = new Date((nowSeconds + presignedUrlLifetimeSeconds) * 1000);
  const blobPath = formatBlobPath(path);
  return { uploadUrl: blobs.signUpload(path, blobPath, expiresAt), blobPath, expiresAt: expiresAt.toISOString() };
}
