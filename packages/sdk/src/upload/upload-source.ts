/**
 * A file on disk, from `openFile` of `@assay/sdk/node`. Reading fails when the file has changed since it was opened.
 */
export type LocalFile = {
  readonly name: string;
  readonly size: number;
  /** The bytes from `start` up to, but not including, `end`, in chunks. */
  stream(start: number, end: number): ReadableStream<Uint8Array<ArrayBuffer>>;
  /** The hash of the whole file, in hexadecimal. */
  sha256(signal?: AbortSignal): Promise<string>;
};

/** What can be uploaded. Only a LocalFile is sent with its hash: not every runtime can hash a Blob incrementally. */
export type UploadSource = Blob | LocalFile;

export const isLocalFile = (source: UploadSource): source is LocalFile => 'sha256' in source;

export async function readBytes(source: UploadSource, start: number, end: number): Promise<ArrayBuffer> {
  const bytes = isLocalFile(source) ? new Response(source.stream(start, end)) : source.slice(start, end);
  return bytes.arrayBuffer();
}

/** A part of the source as a request body. Made again for each attempt, because a stream can be read only once. */
export function toRequestBody(source: UploadSource, start: number, end: number): RequestInit {
  if (!isLocalFile(source)) return { body: source.slice(start, end) };
  return {
    body: source.stream(start, end),
    // Storage does not accept chunked requests.
    headers: { 'content-length': String(end - start) },
    // Without these two options, Node keeps a second copy of the body in memory in case of a redirect.
    redirect: 'error',
    window: null,
    // Required for streams, but missing from the DOM types.
    ...{ duplex: 'half' },
  };
}
