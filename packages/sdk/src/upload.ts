import type { Call, CallOptions, Settings } from './call.ts';
import { checkFile } from './check-file.ts';
import { AssayError } from './errors.ts';
import { putBlob } from './put-blob.ts';
import { openTarget } from './upload-target.ts';
import type { DirectUpload } from './wire.generated.ts';

const MiB = 1024 * 1024;
/** Small files are sent through the service, in one request instead of two; larger ones go to object storage. */
const directBytesMax = MiB;

export type UploadOptions = Pick<CallOptions, 'signal'> & {
  /** Default: the name of the File. */
  filename?: string | undefined;
  /** Default: derived from the file extension. */
  contentType?: string | undefined;
  onProgress?: ((sentBytes: number, totalBytes: number) => void) | undefined;
  /** Blocks uploaded in parallel. */
  concurrency?: number | undefined;
  blockBytes?: number | undefined;
  /** For each request to object storage. */
  timeoutMs?: number | undefined;
  /** For each request to the service and to object storage. */
  maxRetries?: number | undefined;
};

const defaults = { concurrency: 4, blockBytes: 8 * MiB, timeoutMs: 600_000, maxRetries: 5 };

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
  const { concurrency = defaults.concurrency, blockBytes = defaults.blockBytes } = options;
  const { timeoutMs = defaults.timeoutMs, maxRetries = defaults.maxRetries } = options;

  // Unused blob paths are discarded by the service, so a repeated request is harmless.
  const callOptions = { signal, maxRetries, isRepeatable: true };
  onProgress?.(0, file.size);
  if (file.size <= directBytesMax) {
    const body = new FormData();
    body.append('file', new Blob([file], { type: contentType }), filename);
    const stored = await call('uploadDirect', { params: [], body }, callOptions);
    onProgress?.(file.size, file.size);
    return stored;
  }
  const target = await openTarget(call, { filename, contentType }, callOptions);
  await putBlob(file, target, {
    fetch: settings.fetch,
    contentType,
    concurrency,
    blockBytes,
    timeoutMs,
    maxRetries,
    signal,
    onProgress,
  });
  return { blobPath: target.blobPath, sizeBytes: file.size, contentType };
}
