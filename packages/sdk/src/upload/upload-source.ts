/** A file on disk, from `openFile` of `@assay/sdk/node`. Reading fails when the file has changed since it was opened. */
export type LocalFile = {
  readonly name: string;
  readonly size: number;
  /** The bytes from `start` to before `end`, a piece at a time. */
  stream(start: number, end: number): ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Of the whole file, in hexadecimal. */
  sha256(signal?: AbortSignal): Promise<string>;
};

/** What can be uploaded. A Blob has no incremental hash in every runtime, so only a LocalFile is sent with one. */
export type UploadSource = Blob | LocalFile;

export const isLocalFile = (source: UploadSource): source is LocalFile => 'sha256' in source;

export async function readBytes(source: UploadSource, start: number, end: number): Promise<ArrayBuffer> {
  const bytes = isLocalFile(source) ? new Response(source.stream(start, end)) : source.slice(start, end);
  return bytes.arrayBuffer();
}

/** A part of the source as the body of one request; made again for each attempt, because a stream can be read once. */
export function toRequestBody(source: UploadSource, start: number, end: number): RequestInit {
  if (!isLocalFile(source)) return { body: source.slice(start, end) };
  return {
    body: source.stream(start, end),
    // Storage does not accept chunked requests.
    headers: { 'content-length': String(end - start) },
    // Without these two, Node keeps a second copy of the body in memory, for a redirect.
    redirect: 'error',
    window: null,
    // Required for streams. The types of the DOM do not have it.
    ...{ duplex: 'half' },
  };
}
