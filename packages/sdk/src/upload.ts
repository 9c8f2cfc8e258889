import type { Call, CallOptions, Settings } from './call.ts';
import { checkFile } from './check-file.ts';
import { AssayError, UploadError } from './errors.ts';
import { createRenewable } from './renewable.ts';
import { sendToStorage } from './send-to-storage.ts';
import { uploadParts } from './upload-parts.ts';
import type { DirectUpload } from './wire.generated.ts';

const MiB = 1024 * 1024;
/** Small files are sent through the service, in one request instead of two; larger ones go to object storage. */
const directBytesMax = MiB;
/** Larger files are sent in parts: in parallel, and an error costs one part only. */
const oneRequestBytesMax = 64 * MiB;
/** The service accepts no smaller parts, and no more of them. */
const partBytesMin = 5 * MiB;

export type UploadOptions = Pick<CallOptions, 'signal'> & {
  /** Default: the name of the File. */
  filename?: string | undefined;
  /** Default: derived from the file extension. */
  contentType?: string | undefined;
  onProgress?: ((sentBytes: number, totalBytes: number) => void) | undefined;
  /** Parts uploaded in parallel. */
  concurrency?: number | undefined;
  /** Size of a part. Default: 8 MiB; at least 5 MiB. */
  partBytes?: number | undefined;
  /** For each request to object storage, and for joining the parts. */
  timeoutMs?: number | undefined;
  /** For each request to the service and to object storage. */
  maxRetries?: number | undefined;
};

const defaults = { concurrency: 4, partBytes: 8 * MiB, timeoutMs: 600_000, maxRetries: 5 };

/** Uploads a file for a submission; how depends on its size. */
export async function upload(
  call: Call,
  settings: Settings,
  file: Blob,
  { onProgress, signal, ...options }: UploadOptions = {},
): Promise<DirectUpload> {
  const filename = options.filename ?? (file as Partial<File>).name;
  if (!filename) throw new AssayError('The file has no name: pass a File, or the option filename.');
  const checked = await checkFile(filename, file);
  const contentType = options.contentType ?? checked.contentType;
  const { concurrency = defaults.concurrency } = options;
  const { timeoutMs = defaults.timeoutMs, maxRetries = defaults.maxRetries } = options;
  const partBytes = Math.max(options.partBytes ?? defaults.partBytes, partBytesMin);
  const sizeBytes = file.size;

  // Unused blob paths are discarded by the service, so a repeated request is harmless.
  const callOptions = { signal, maxRetries, isRepeatable: true };
  onProgress?.(0, sizeBytes);
  if (sizeBytes <= directBytesMax) {
    const body = new FormData();
    body.append('file', new Blob([file], { type: contentType }), filename);
    const stored = await call('uploadDirect', { params: [], body }, callOptions);
    onProgress?.(sizeBytes, sizeBytes);
    return stored;
  }
  const body = { filename, contentType, sizeBytes };
  const issued = await call('createUploadUrl', { params: [], body }, callOptions);
  const { blobPath } = issued;
  const storage = { fetch: settings.fetch, timeoutMs, maxRetries, signal };
  if (sizeBytes <= Math.max(oneRequestBytesMax, partBytes)) {
    const renew = () => call('renewUploadUrl', { params: [], body: { blobPath, sizeBytes } }, callOptions);
    await sendToStorage(createRenewable(issued, renew), ({ uploadUrl }) => uploadUrl, file, storage);
    onProgress?.(sizeBytes, sizeBytes);
    return { blobPath, sizeBytes, contentType };
  }
  const parts = { blobPath, partCount: Math.ceil(sizeBytes / partBytes) };
  const requestUrls = () => call('createUploadParts', { params: [], body: parts }, callOptions);
  await uploadParts(file, requestUrls, { ...storage, concurrency, partBytes, onProgress });
  const stored = await call('completeUploadParts', { params: [], body: parts }, { ...callOptions, timeoutMs });
  if (stored.sizeBytes === sizeBytes) return stored;
  throw new UploadError(`${stored.sizeBytes} of ${sizeBytes} bytes are stored. Upload the file again.`, {});
}
