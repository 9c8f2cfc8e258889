import { TextDecoder } from 'node:util';
import type { RandomAccess } from '@assay/jail/source/random-access.ts';

const windowBytes = 64 * 1024;
const windowsMax = 16;

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/**
 * Whether the bytes are valid UTF-8 or UTF-16 without a NUL. Reads every byte up to 1 MiB. Of a larger file it reads 16
 * windows from the first byte to the last, because the bytes may be in remote storage. Windows start at multiples of
 * their size, so that a reader with blocks of that size fetches each block once.
 */
export async function isText(bytes: RandomAccess): Promise<boolean> {
  const window = new Uint8Array(windowBytes);
  let encoding: Encoding | undefined;
  for (const offset of windowOffsets(bytes.sizeBytes)) {
    const length = await bytes.read(window, offset);
    encoding ??= encodingOf(window.subarray(0, length));
    const start = offset === 0 ? 0 : firstCharacterOffset(window, encoding);
    const isLast = offset + length >= bytes.sizeBytes;
    if (!isTextWindow(window.subarray(start, length), encoding, isLast)) return false;
  }
  return true;
}

function windowOffsets(sizeBytes: number): number[] {
  const blocks = Math.ceil(sizeBytes / windowBytes);
  const count = Math.min(windowsMax, blocks);
  const step = count > 1 ? (blocks - 1) / (count - 1) : 0;
  return Array.from({ length: count }, (_, i) => Math.round(i * step) * windowBytes);
}

// Only a byte order mark identifies UTF-16. Without one, a NUL means that the file is not text.
export function encodingOf(head: Uint8Array): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

function isTextWindow(window: Uint8Array, encoding: Encoding, isLast: boolean): boolean {
  try {
    // Only the last window must end with a whole character.
    const text = new TextDecoder(encoding, { fatal: true }).decode(window, { stream: !isLast });
    return !text.includes('\0');
  } catch (error) {
    if (error instanceof TypeError) return false; // thrown by TextDecoder for bytes that are invalid in this encoding
    throw error;
  }
}

// A window can start inside a character: with up to three bytes of that character in UTF-8, or one code unit of it in
// UTF-16.
function firstCharacterOffset(window: Uint8Array, encoding: Encoding): number {
  if (encoding !== 'utf-8') {
    const high = window[encoding === 'utf-16le' ? 1 : 0] ?? 0;
    return high >= 0xdc && high <= 0xdf ? 2 : 0;
  }
  let start = 0;
  while (start < 3 && ((window[start] ?? 0) & 0xc0) === 0x80) start++;
  return start;
}
