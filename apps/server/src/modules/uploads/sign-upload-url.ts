import { presignedUrlLifetimeSeconds } from '@assay/contract/limits.ts';
import type { Handles } from '#platform/handles.ts';
import type { BlobLocation } from '#platform/storage/blobs.ts';
import { type BlobPath, formatBlobPath } from './blob-path.ts';
import { mediaOf } from './require-size.ts';

export async function signUploadUrl(
  path: BlobPath & BlobLocation,
  handles: Pick<Handles, 'blobs' | 'clock'>,
  sizeBytes?: number,
) {
  const { blobs } = handles;
  const expiresAt = await urlExpiry(path, handles);
  const blobPath = formatBlobPath(path);
  const uploadUrl = await blobs.signUpload(path, blobPath, expiresAt, sizeBytes);
  const needed = { ...(await blobs.putHeadersOf(path)), 'content-type': mediaOf(path.filename).type };
  const headers = Object.entries(needed).map(([name, value]) => ({ name, value }));
  return { uploadUrl, blobPath, expiresAt: expiresAt.toISOString(), method: 'PUT' as const, headers };
}

/**
 * §4.1: returns when an upload URL issued now expires: after 1 hour, or earlier if the temporary credentials that sign
 * it expire earlier. Signatures expire at a whole second, so the returned time is in whole seconds.
 */
export async function urlExpiry(
  location: BlobLocation,
  { blobs, clock }: Pick<Handles, 'blobs' | 'clock'>,
): Promise<Date> {
  const nowSeconds = Math.floor(clock.now().getTime() / 1000);
  return blobs.latestExpiry(location, new Date((nowSeconds + presignedUrlLifetimeSeconds) * 1000));
}
