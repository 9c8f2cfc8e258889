import { type Call, type CallOptions, type Settings, toUnreadableFileError } from '../call.ts';
import { AssayError, UploadError, ValidationError } from '../errors.ts';
import type { CompletedUpload } from '../wire.generated.ts';
import { checkFile } from './check-file.ts';
import { createRenewableUrls } from './renewable.ts';
import { sendToStorage } from './send-to-storage.ts';
import { uploadParts } from './upload-parts.ts';
import { isLocalFile, readBytes, toRequestBody, type UploadSource } from './upload-source.ts';

const MiB = 1024 * 1024;
/** Small files are sent through the service, in one request instead of two; larger ones go to object storage. */
const directBytesMax = MiB;
/** Larger files are sent in parts: in parallel, and after an error only one part is sent again. */
const oneRequestBytesMax = 64 * MiB;
/** The most that Azure accepts in one request. */
const putBytesMax = 5000 * MiB;
/** The smallest part that S3 accepts, and the largest that Azure accepts. */
const partBytesMin = 5 * MiB;
const partBytesMax = 4000 * MiB;

export type UploadOptions = Pick<CallOptions, 'signal'> & {
  /** Default: the name of the file. */
  filename?: string | undefined;
  /** Default: derived from the file extension. */
  contentType?: string | undefined;
  onProgress?: ((sentBytes: number, totalBytes: number) => void) | undefined;
  /** How many parts are uploaded in parallel. Default: 4. */
  concurrency?: number | undefined;
  /** Size of a part. Default: 8 MiB; at least 5 MiB, at most 4,000 MiB. A smaller file is sent in one request. */
  partBytes?: number | undefined;
  /** For each request to object storage, and for the request that completes an upload in parts. */
  timeoutMs?: number | undefined;
  /** For each request to the service and to object storage. */
  maxRetries?: number | undefined;
};

/** An uploaded file. The hash is known for files opened with `openFile`, and for files of up to 1 MiB. */
export type Uploaded = CompletedUpload & { contentSha256: string | null };

const defaultOptions = { concurrency: 4, partBytes: 8 * MiB, timeoutMs: 600_000, maxRetries: 5 };

/** Uploads a file for a submission, in one of three ways depending on its size. */
export async function upload(
  call: Call,
  settings: Settings,
  file: UploadSource,
  { onProgress, signal, ...options }: UploadOptions = {},
): Promise<Uploaded> {
  const filename = options.filename ?? (file as { name?: string }).name;
  if (!filename) throw new AssayError('The file has no name: pass a File, or the option filename.');
  const checked = await checkFile(filename, file);
  const contentType = options.contentType ?? checked.contentType;
  const { concurrency = defaultOptions.concurrency } = options;
  const { timeoutMs = defaultOptions.timeoutMs, maxRetries = defaultOptions.maxRetries } = options;
  const partBytes = Math.min(Math.max(options.partBytes ?? defaultOptions.partBytes, partBytesMin), partBytesMax);
  const sizeBytes = file.size;
  // The file is read once more for its hash, with which the service compares what it has stored.
  const contentSha256 = isLocalFile(file) ? await file.sha256(signal).catch(rejectUnreadable) : undefined;

  // The service discards unused blob paths, so a repeated request is harmless.
  const callOptions = { signal, maxRetries, isRepeatable: true };
  onProgress?.(0, sizeBytes);
  if (sizeBytes <= directBytesMax) {
    const body = new FormData();
    const bytes = await readBytes(file, 0, sizeBytes).catch(rejectUnreadable);
    body.append('file', new Blob([bytes], { type: contentType }), filename);
    const stored = await call('uploadDirect', { params: [], body }, callOptions);
    requireSameContent(stored, { sizeBytes, contentSha256 });
    onProgress?.(sizeBytes, sizeBytes);
    return stored;
  }
  const body = { filename, contentType, sizeBytes, contentSha256 };
  const issued = await call('createUploadUrl', { params: [], body }, callOptions).catch((error: unknown) => {
    if (!isUnknownHash(error)) throw error;
    return call('createUploadUrl', { params: [], body: { ...body, contentSha256: undefined } }, callOptions);
  });
  const { blobPath } = issued;
  const storage = { fetch: settings.fetch, timeoutMs, maxRetries, signal };
  if (sizeBytes <= Math.min(Math.max(oneRequestBytesMax, options.partBytes ?? 0), putBytesMax)) {
    const renew = () => call('renewUploadUrl', { params: [], body: { blobPath, sizeBytes } }, callOptions);
    const whole = () => toRequestBody(file, 0, sizeBytes);
    await sendToStorage(createRenewableUrls(issued, renew), ({ uploadUrl }) => uploadUrl, whole, storage);
    onProgress?.(sizeBytes, sizeBytes);
    return { blobPath, sizeBytes, contentType, contentSha256: contentSha256 ?? null };
  }
  const parts = { blobPath, partCount: Math.ceil(sizeBytes / partBytes) };
  const requestUrls = () => call('createUploadParts', { params: [], body: parts }, callOptions);
  await uploadParts(file, requestUrls, { ...storage, concurrency, partBytes, onProgress });
  const stored = await call('completeUploadParts', { params: [], body: parts }, { ...callOptions, timeoutMs });
  requireSameContent(stored, { sizeBytes });
  return { ...stored, contentSha256: contentSha256 ?? null };
}

type FileContent = { sizeBytes: number; contentSha256?: string | undefined };

function requireSameContent(stored: FileContent, sent: FileContent): void {
  if (stored.sizeBytes !== sent.sizeBytes)
    throw new UploadError(`${stored.sizeBytes} of ${sent.sizeBytes} bytes are stored. Upload the file again.`, {});
  const hashes = [stored.contentSha256, sent.contentSha256];
  if (!hashes.includes(undefined) && hashes[0] !== hashes[1])
    throw new UploadError('The stored file differs from the file on disk. Upload the file again.', {});
}

/** Whether an earlier version of the service rejected the field with the hash. It still compares the size. */
function isUnknownHash(error: unknown): boolean {
  if (!(error instanceof ValidationError)) return false;
  return error.errors.some(({ pointer, code }) => pointer === '/contentSha256' && code === 'unknown_member');
}

function rejectUnreadable(error: unknown): never {
  throw toUnreadableFileError(error) ?? error;
}
