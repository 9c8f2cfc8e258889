import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { directUploadBytesMax } from '@assay/contract/limits.ts';
import { Refusal } from '@assay/contract/refusals.ts';
import { Dicer } from '@fastify/busboy';
import type { IncomingFile } from '../access/caller.ts';

const multipartOverheadBytesMax = 64 * 1024;
const partHeaderLimits = { maxHeaderPairs: 20, maxHeaderSize: 16 * 1024 };

type PartHeaders = Record<string, string[] | undefined>;

/**
 * §4.2: multipart/form-data with exactly one file part named `file`. Resolves once its head has arrived; the
 * bytes end only when the whole body proved to be well-formed, and fail as soon as they are too many.
 */
export function readOneFile(request: IncomingMessage): Promise<IncomingFile> {
  return new Promise((resolve, reject) => {
    const parser = new Dicer({ ...partHeaderLimits, boundary: boundaryOf(request) });
    const wholeBody = Promise.withResolvers<void>();
    let filePart: Readable | undefined;
    let receivedBytes = 0;

    const fail = (error: Error) => {
      request.unpipe(parser);
      request.pause();
      reject(error);
      wholeBody.reject(error);
      filePart?.destroy(error);
    };
    wholeBody.promise.catch(() => {}); // whoever reads the bytes hears of it; before that the caller does
    const clientGone = () => fail(new Error('the client went away'));
    request.once('error', fail);
    request.once('close', () => {
      if (!request.complete) clientGone();
    });
    // Gone while it waited for its turn: nothing more will be heard of it.
    if (request.destroyed) return clientGone();
    parser.once('error', () => fail(malformed('The body ends before its last boundary.')));
    parser.once('finish', () => {
      if (filePart) wholeBody.resolve();
      else fail(malformed('The body holds no part named file.'));
    });
    parser.on('part', (part: Readable) => {
      part.on('error', () => {}); // said by `fail` already
      part.on('header', (headers: PartHeaders) => {
        try {
          const filename = filenameOf(headers, filePart !== undefined);
          filePart = part;
          resolve({ filename, contentType: headers['content-type']?.[0], bytes: capped(part, wholeBody.promise) });
        } catch (refusal) {
          fail(refusal as Refusal);
        }
      });
    });
    // Whatever stands around the file counts too: a preamble without end must not be read without end.
    request.on('data', (chunk: Buffer) => {
      receivedBytes += chunk.length;
      if (receivedBytes > directUploadBytesMax + multipartOverheadBytesMax) {
        fail(new Refusal('direct_upload_too_large'));
      }
    });
    request.pipe(parser);
  });
}

function filenameOf(headers: PartHeaders, isSecond: boolean): string {
  const { name, filename } = dispositionOf(headers);
  if (isSecond || name !== 'file') throw malformed('Send exactly one part, a file named file.');
  if (!filename) throw malformed('The part named file has no filename.');
  return filename;
}

async function* capped(part: Readable, wholeBody: Promise<void>): AsyncGenerator<Buffer> {
  let sizeBytes = 0;
  for await (const chunk of part) {
    sizeBytes += chunk.length;
    if (sizeBytes > directUploadBytesMax) throw new Refusal('direct_upload_too_large');
    yield chunk;
  }
  await wholeBody;
}

function boundaryOf(request: IncomingMessage): string {
  const match = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(request.headers['content-type'] ?? '');
  const boundary = match?.[1] ?? match?.[2];
  if (!boundary) throw malformed('The Content-Type names no boundary.');
  return boundary;
}

// Header bytes arrive one per character. Browsers escape a quote as %22 and line breaks as %0D and %0A (WHATWG), curl
// escapes a quote and a backslash by a backslash; .NET and Java's libraries also send filename*, which then counts.
function dispositionOf(headers: PartHeaders): { name?: string; filename?: string } {
  const text = decode(Buffer.from(headers['content-disposition']?.[0] ?? '', 'latin1'), 'utf-8');
  const parameters = Object.fromEntries(
    text.matchAll(/;\s*([a-z]+\*?)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/gis).map(([, name = '', quoted, token = '']) => {
      const value = quoted?.replace(/\\(["\\])/g, '$1').replace(/%22|%0d|%0a/gi, decodeURIComponent);
      return [name.toLowerCase(), value ?? token];
    }),
  );
  const extended = decodeExtended(parameters['filename*'] ?? '');
  return extended === undefined ? parameters : { ...parameters, filename: extended };
}

/** RFC 8187: a character set, a language that is of no use here, and ASCII with percent signs; undefined for anything else. */
function decodeExtended(value: string): string | undefined {
  const [, charset = '', encoded] = /^([\w-]+)'[^']*'([\x20-\x7e]+)$/.exec(value) ?? [];
  if (encoded === undefined) return undefined;
  const bytes = encoded.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return decode(Buffer.from(bytes, 'latin1'), charset.toLowerCase() === 'iso-8859-1' ? 'latin1' : 'utf-8');
}

/** What is not in this character set would else become another name, silently. */
function decode(bytes: Buffer, charset: 'utf-8' | 'latin1'): string {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal('invalid_filename', { internal: 'not UTF-8' });
  }
}

function malformed(detail: string): Refusal {
  return new Refusal('validation_failed', { errors: [{ pointer: '/file', code: 'malformed_multipart', detail }] });
}
