import { promisify } from 'node:util';
import { constants, inflateRaw } from 'node:zlib';
import type { PdfDictionary } from './pdf-lexer.ts';

const inflate = promisify(inflateRaw);

/** The most that deflate can make of a byte. */
const growthMax = 1032;

/** `bomb`: grows beyond the room. `unread`: damaged, or packed in a way that is not undone here. */
export type DecodedStream = Buffer | 'unread' | 'bomb';

const filters: Record<string, (bytes: Buffer, bytesMax: number) => Promise<DecodedStream> | DecodedStream> = {
  FlateDecode: inflateFlate,
  Fl: inflateFlate,
  ASCIIHexDecode: decodeHex,
  AHx: decodeHex,
};

/**
 * Undoes the filters of a stream, together never into more bytes than there is room for. Says how many there were, also
 * of those between two filters and of those before the damage: that is what it cost.
 */
export async function decodePdfStream(
  bytes: Buffer,
  { keys, filters: named }: PdfDictionary,
  bytesMax: number,
): Promise<{ decoded: DecodedStream; decodedBytes: number }> {
  let decoded = withoutLineEnd(bytes);
  let decodedBytes = 0;
  // A filter that is named elsewhere in the file is known by its work.
  const names = named.length === 0 && keys.includes('Filter') && isZlib(decoded) ? ['FlateDecode'] : named;
  if (keys.includes('DecodeParms')) return { decoded: 'unread', decodedBytes };
  for (const name of names) {
    const filter = Object.hasOwn(filters, name) ? filters[name] : undefined;
    if (!filter) return { decoded: 'unread', decodedBytes };
    const room = bytesMax - decodedBytes;
    if (room <= 0) return { decoded: 'bomb', decodedBytes };
    const next = await filter(decoded, room);
    if (typeof next === 'string') {
      return { decoded: next, decodedBytes: decodedBytes + Math.min(room, decoded.length * growthMax) };
    }
    decoded = next;
    decodedBytes += decoded.length;
  }
  return { decoded, decodedBytes };
}

// Without zlib's header and checksum and without asking for a proper end: readers are as lenient.
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

function withoutLineEnd(bytes: Buffer): Buffer {
  let begin = 0;
  while (begin < 2 && (bytes[begin] === 0x0d || bytes[begin] === 0x0a)) begin++;
  return bytes.subarray(begin);
}

function isZlib(bytes: Buffer): boolean {
  const [first = 0, second = 0] = bytes;
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}
