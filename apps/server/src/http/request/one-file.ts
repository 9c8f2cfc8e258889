import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { directUploadBytesMax } from '@assay/contract/limits.ts';
import { Refusal } from '@assay/contract/refusals.ts';
import { Dicer } from '@fastify/busboy';
import type { IncomingFile } from '#call/call.ts';

const multipartOverheadBytesMax = 64 * 1024;
/** A sender that is slower on average after the first seconds would hold its permit for long, and others wait. */
const bytesPerSecondMin = 4 * 1024;
const slowSecondsMax = 10;
const partHeaderLimits = { maxHeaderPairs: 20, maxHeaderSize: 16 * 1024 };

type PartHeaders = Record<string, string[] | undefined>;

/**
 * §4.2: multipart/form-data with exactly one file part named `file`. Resolves once the headers of the part have
 * arrived. Its bytes end only after the whole body has proved well-formed, and fail as soon as there are too many.
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
    const begin = performance.now();
    const watch = setInterval(() => {
      const seconds = (performance.now() - begin) / 1000;
      if (seconds > slowSecondsMax && receivedBytes < seconds * bytesPerSecondMin) fail(new Refusal('request_timeout'));
    }, 1000);
    // `fail` also reports the error to the caller or to the reader of the file.
    wholeBody.promise.catch(() => {}).finally(() => clearInterval(watch));
    const clientGone = () => fail(new Error('the client went away'));
    request.once('error', fail);
    request.once('close', () => {
      if (!request.complete) clientGone();
    });
    // The client disconnected while the request waited: no further event will come.
    if (request.destroyed) return clientGone();
    parser.once('error', () =>
      fail(malformedRefusal('The multipart body ends before its closing boundary. Send it completely.')),
    );
    parser.once('finish', () => {
      if (filePart) wholeBody.resolve();
      else fail(malformedRefusal('The multipart body has no part named file. Send one file part with this name.'));
    });
    parser.on('part', (part: Readable) => {
      part.on('error', () => {}); // already reported by `fail`
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
    // The bytes around the file also count towards the limit, because an endless preamble must not be read for ever.
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
  if (isSecond || name !== 'file')
    throw malformedRefusal('The multipart body must have exactly one part: a file part named file.');
  if (!filename) throw malformedRefusal('The part named file has no filename. Send one in its Content-Disposition.');
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
  if (!boundary) throw malformedRefusal('Content-Type has no boundary. Let the HTTP client set this header.');
  return boundary;
}

// Header bytes arrive one per character. Browsers escape a quote as %22 and line breaks as %0D and %0A (WHATWG), curl
// escapes a quote and a backslash with a backslash; .NET and Java libraries also send filename*, which then takes
// precedence.
function dispositionOf(headers: PartHeaders): { name?: string; filename?: string } {
  const text = decodeStrictly(Buffer.from(headers['content-disposition']?.[0] ?? '', 'latin1'), 'utf-8');
  const parameters = Object.fromEntries(
    text.matchAll(/;\s*([a-z]+\*?)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/gis).map(([, name = '', quoted, token = '']) => {
      const value = quoted?.replace(/\\(["\\])/g, '$1').replace(/%22|%0d|%0a/gi, decodeURIComponent);
      return [name.toLowerCase(), value ?? token];
    }),
  );
  const extended = decodeExtended(parameters['filename*'] ?? '');
  return extended === undefined ? parameters : { ...parameters, filename: extended };
}

/** RFC 8187: a character set, a language (not used here) and percent-encoded ASCII; undefined for anything else. */
function decodeExtended(value: string): string | undefined {
  const [, charset = '', encoded] = /^([\w-]+)'[^']*'([\x20-\x7e]+)$/.exec(value) ?? [];
  if (encoded === undefined) return undefined;
  const bytes = encoded.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return decodeStrictly(Buffer.from(bytes, 'latin1'), charset.toLowerCase() === 'iso-8859-1' ? 'latin1' : 'utf-8');
}

/** Refuses bytes outside the character set, which would otherwise silently become a different name. */
function decodeStrictly(bytes: Buffer, charset: 'utf-8' | 'latin1'): string {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal('invalid_filename', { internal: 'not UTF-8' });
  }
}

function malformedRefusal(detail: string): Refusal {
  return new Refusal('validation_failed', { errors: [{ pointer: '/file', code: 'malformed_multipart', detail }] });
}
