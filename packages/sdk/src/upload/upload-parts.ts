import type { UploadParts } from '../wire.generated.ts';
import { createRenewableUrls } from './renewable.ts';
import { type StorageOptions, sendToStorage } from './send-to-storage.ts';
import { toRequestBody, type UploadSource } from './upload-source.ts';

type Options = StorageOptions & {
  concurrency: number;
  partBytes: number;
  onProgress: ((sentBytes: number, totalBytes: number) => void) | undefined;
};

/** Sends the parts of a file, several at once. After an error only the failed part is sent again. */
export async function uploadParts(
  file: UploadSource,
  requestUrls: () => Promise<UploadParts>,
  { partBytes, concurrency, onProgress, ...options }: Options,
): Promise<void> {
  const partCount = Math.ceil(file.size / partBytes);
  const grants = createRenewableUrls(await requestUrls(), requestUrls);
  // A part that finally fails cancels the others.
  const failure = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, failure.signal]) : failure.signal;
  let next = 0;
  let sentBytes = 0;
  const sendParts = async () => {
    while (next < partCount) {
      const n = next++;
      const start = n * partBytes;
      const end = Math.min(start + partBytes, file.size);
      const part = () => toRequestBody(file, start, end);
      await sendToStorage(grants, ({ parts }) => parts[n]?.uploadUrl ?? '', part, { ...options, signal });
      sentBytes += end - start;
      onProgress?.(sentBytes, file.size);
    }
  };
  const senders = Array.from({ length: Math.min(concurrency, partCount) }, () =>
    sendParts().catch((error: unknown) => {
      failure.abort(error);
      throw error;
    }),
  );
  await Promise.all(senders);
}
