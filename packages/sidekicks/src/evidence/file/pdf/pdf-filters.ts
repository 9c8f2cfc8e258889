import { promisify } from 'node:util';
import { constants, inflateRaw } from 'node:zlib';
import type { PdfDictionary } from './pdf-lexer.ts';

const inflate = promisify(inflateRaw);

/** The maximum compression ratio of deflate. */
const inflateRatioMax = 1032;

/** `bomb`: exceeds the byte limit. `unread`: damaged, or encoded with an unsupported filter. */
export type DecodedStream = Buffer | 'unread' | 'bomb';

const filters: Record<string, (bytes: Buffer, bytesMax: number) => Promise<DecodedStream> | DecodedStream> = {
  FlateDecode: inflateFlate,
  Fl: inflateFlate,
  ASCIIHexDecode: decodeHex,
  AHx: decodeHex,
};

/**
 * Decodes a stream by applying its filters in turn, into at most `bytesMax` bytes in total. `decodedBytes` measures the
 * cost: it includes the output of every filter, and an upper bound for the output before an error.
 */
export async function decodePdfStream(
  bytes: Buffer,
  { keys, filters: named }: PdfDictionary,
  bytesMax: number,
): Promise<{ decoded: DecodedStream; decodedBytes: number }> {
  let decoded = skipLineEnd(bytes);
  let decodedBytes = 0;
  // If the filter is named in another object, the stream's zlib header shows that it is Flate.
  const names = named.length === 0 && keys.includes('Filter') && isZlib(decoded) ? ['FlateDecode'] : named;
  if (keys.includes('DecodeParms')) return { decoded: 'unread', decodedBytes };
  for (const name of names) {
    const filter = Object.hasOwn(filters, name) ? filters[name] : undefined;
    if (!filter) return { decoded: 'unread', decodedBytes };
    const bytesLeft = bytesMax - decodedBytes;
    if (bytesLeft <= 0) return { decoded: 'bomb', decodedBytes };
    const next = await filter(decoded, bytesLeft);
    if (typeof next === 'string') {
      return { decoded: next, decodedBytes: decodedBytes + Math.min(bytesLeft, decoded.length * inflateRatioMax) };
    }
    decoded = next;
    decodedBytes += decoded.length;
  }
  return { decoded, decodedBytes };
}

// Ignores zlib's header and checksum and accepts truncated data, as PDF readers do.
async function inflateFlate(bytes: Buffer, bytesMax: number): Promise<DecodedStream> {
  if (bytes.length < 3) return 'unread';
  try {
    const options = { maxOutputLength: bytesMax, finishFlush: constants.Z_SYNC_FLUSH };
    return await inflate(bytes.subarray(2), options);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'bomb' : 'unread';
  }
}

function decodeHex(bytes: Buffer): DecodedStream {
  const text = bytes.toString('latin1');
  const end = text.indexOf('>');
  const digits = (end < 0 ? text : text.slice(0, end)).replaceAll('\0', '').replace(/\s+/g, '');
  return /^[0-9a-f]*$/i.test(digits) ? Buffer.from(digits.length % 2 ? `${digits}0` : digits, 'hex') : 'unread';
}

function skipLineEnd(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 2 && (bytes[start] === 0x0d || bytes[start] === 0x0a)) start++;
  return bytes.subarray(start);
}

function isZlib(bytes: Buffer): boolean {
  const [first = 0, second = 0] = bytes;
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}
