import { promisify } from 'node:util';
import { constants, inflateRaw } from 'node:zlib';
import type { PdfDictionary } from './pdf-lexer.ts';

const inflate = promisify(inflateRaw);

/** The maximum compression ratio of deflate. */
const inflateRatioMax = 1032;

/** `bomb`: exceeds the byte limit. */
export type DecodedStream = Buffer | 'damaged' | 'unsupported' | 'bomb';

const filters: Record<string, (bytes: Buffer, bytesMax: number) => Promise<DecodedStream> | DecodedStream> = {
  FlateDecode: inflateFlate,
  Fl: inflateFlate,
  ASCIIHexDecode: decodeHex,
  AHx: decodeHex,
};

/**
 * Decodes a stream by applying its filters in turn, into at most `bytesMax` bytes in total. The cost
 * includes the output of every filter, and an upper bound for the output before an error.
 */
export async function decodePdfStream(
  bytes: Buffer,
  { keys, filters: named }: PdfDictionary,
  bytesMax: number,
): Promise<{ decoded: DecodedStream; decodingCostBytes: number }> {
  let decoded = skipLineEnd(bytes);
  let decodingCostBytes = 0;
  // If the filter is named in another object, the stream's zlib header shows that it is Flate.
  const isNamedElsewhere = named.length === 0 && keys.includes('Filter');
  const names = isNamedElsewhere ? ['FlateDecode'] : named;
  if (keys.includes('DecodeParms') || (isNamedElsewhere && !isZlib(decoded))) {
    return { decoded: 'unsupported', decodingCostBytes };
  }
  for (const name of names) {
    const filter = Object.hasOwn(filters, name) ? filters[name] : undefined;
    if (!filter) return { decoded: 'unsupported', decodingCostBytes };
    const bytesLeft = bytesMax - decodingCostBytes;
    if (bytesLeft <= 0) return { decoded: 'bomb', decodingCostBytes };
    const next = await filter(decoded, bytesLeft);
    if (typeof next === 'string') {
      return {
        decoded: next,
        decodingCostBytes: decodingCostBytes + Math.min(bytesLeft, decoded.length * inflateRatioMax),
      };
    }
    decoded = next;
    decodingCostBytes += decoded.length;
  }
  // The other object may name a second filter, whose output is lost as well.
  return { decoded: isNamedElsewhere && isZlib(decoded) ? 'unsupported' : decoded, decodingCostBytes };
}

// Ignores zlib's header and checksum and accepts truncated data, as PDF readers do.
async function inflateFlate(bytes: Buffer, bytesMax: number): Promise<DecodedStream> {
  if (bytes.length < 3) return 'damaged';
  try {
    const options = { maxOutputLength: bytesMax, finishFlush: constants.Z_SYNC_FLUSH };
    return await inflate(bytes.subarray(2), options);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'bomb' : 'damaged';
  }
}

function decodeHex(bytes: Buffer): DecodedStream {
  const text = bytes.toString('latin1');
  const end = text.indexOf('>');
  const digits = (end < 0 ? text : text.slice(0, end)).replaceAll('\0', '').replace(/\s+/g, '');
  return /^[0-9a-f]*$/i.test(digits) ? Buffer.from(digits.length % 2 ? `${digits}0` : digits, 'hex') : 'damaged';
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
