import type { Call, CallOptions } from './call.ts';
import type { UploadUrl, UploadUrlRequest } from './wire.generated.ts';

/** A URL that expires sooner than this is renewed before use. */
const renewBeforeMs = 60_000;

export type Target = Awaited<ReturnType<typeof openTarget>>;

/** The upload URL of one file, renewed before it expires, however long the upload takes. */
export async function openTarget(call: Call, file: UploadUrlRequest, options: CallOptions & { isRepeatable: boolean }) {
  const issued = await call('createUploadUrl', { params: [], body: file }, options);
  const { blobPath } = issued;
  let current: Promise<UploadUrl> = Promise.resolve(issued);
  const renew = () => call('renewUploadUrl', { params: [], body: { blobPath } }, options);
  const isExpiring = ({ expiresAt }: UploadUrl) => Date.parse(expiresAt) - Date.now() < renewBeforeMs;
  // If a new URL already looks expired, the local clock is wrong and expiry times are ignored.
  let isClockRight = true;
  return {
    blobPath,
    async url(): Promise<string> {
      const seen = await current;
      if (!isClockRight || !isExpiring(seen)) return seen.uploadUrl;
      const url = await this.urlAfter(seen.uploadUrl);
      isClockRight = !isExpiring(await current);
      return url;
    },
    /** If several requests failed with the same URL, the first one renews it for all. */
    async urlAfter(failed: string): Promise<string> {
      const seen = current;
      if ((await seen).uploadUrl === failed && current === seen) current = renew();
      return (await current).uploadUrl;
    },
  };
}
