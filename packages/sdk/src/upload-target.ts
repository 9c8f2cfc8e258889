import type { Call, CallOptions } from './call.ts';
import type { UploadUrl, UploadUrlRequest } from './wire.generated.ts';

/** A URL that lives for less than this is not begun with. */
const renewBeforeMs = 60_000;

export type Target = Awaited<ReturnType<typeof openTarget>>;

/** Where the bytes of one file go: always a URL that still works, however long the upload takes. */
export async function openTarget(call: Call, file: UploadUrlRequest, options: CallOptions & { isRepeatable: boolean }) {
  const issued = await call('createUploadUrl', { params: [], body: file }, options);
  const { blobPath } = issued;
  let current: Promise<UploadUrl> = Promise.resolve(issued);
  const renewed = () => call('renewUploadUrl', { params: [], body: { blobPath } }, options);
  const isEnding = ({ expiresAt }: UploadUrl) => Date.parse(expiresAt) - Date.now() < renewBeforeMs;
  // A clock by which a fresh URL is at its end already says nothing about any URL.
  let isClockRight = true;
  return {
    blobPath,
    async url(): Promise<string> {
      const seen = await current;
      if (!isClockRight || !isEnding(seen)) return seen.uploadUrl;
      const url = await this.urlAfter(seen.uploadUrl);
      isClockRight = !isEnding(await current);
      return url;
    },
    /** Of many that ask at once because the same URL failed them, the first renews it for all. */
    async urlAfter(failed: string): Promise<string> {
      const seen = current;
      if ((await seen).uploadUrl === failed && current === seen) current = renewed();
      return (await current).uploadUrl;
    },
  };
}
