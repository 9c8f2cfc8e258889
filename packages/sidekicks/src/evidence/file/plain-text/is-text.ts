import { TextDecoder } from 'node:util';
import type { RandomAccess } from '@assay/jail/source/random-access.ts';

const windowBytes = 64 * 1024;
const windowsMax = 16;

/** All but tab, line breaks, form feed and end of file (Ctrl+Z, of DOS). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is searched for
const controlCharacter = /[\0-\x08\x0b\x0e-\x19\x1b-\x1f\x7f]/;

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';
type Window = { window: Uint8Array; offset: number };

/** Whether the bytes are valid UTF-8 or UTF-16 without a NUL. */
export async function isText(bytes: RandomAccess): Promise<boolean> {
  let encoding: Encoding | undefined;
  for await (const { window, offset } of sampleWindows(bytes)) {
    encoding ??= encodingOf(window);
    const start = offset === 0 ? 0 : firstCharacterOffset(window, encoding);
    const isLast = offset + window.length >= bytes.sizeBytes;
    if (!isTextWindow(window.subarray(start), encoding, isLast)) return false;
  }
  return true;
}

/**
 * Whether text that is not Unicode is in an older encoding, such as Windows-1252 or Shift JIS: it has no control
 * characters, and most of its characters outside of ASCII are invalid in UTF-8. Otherwise it is damaged, or binary.
 */
export async function isOlderText(windows: AsyncIterable<Window>): Promise<boolean> {
  let valid = 0;
  let invalid = 0;
  let encoding: Encoding | undefined;
  for await (const { window } of windows) {
    encoding ??= encodingOf(window);
    if (encoding !== 'utf-8') return false;
    const text = new TextDecoder().decode(window);
    if (controlCharacter.test(text)) return false;
    for (const [character] of text.matchAll(/[^\0-\x7f]/gu)) {
      if (character === '\ufffd') invalid++;
      else valid++;
    }
  }
  return invalid > valid;
}

/**
 * Reads every byte up to 1 MiB. Of a larger file it reads 16 windows from the first byte to the last, because the bytes
 * may be in remote storage. Windows start at multiples of their size, so that a reader with blocks of that size fetches
 * each block once.
 */
export async function* sampleWindows(bytes: RandomAccess): AsyncGenerator<Window> {
  const buffer = new Uint8Array(windowBytes);
  for (const offset of windowOffsets(bytes.sizeBytes)) {
    const length = await bytes.read(buffer, offset);
    yield { window: buffer.subarray(0, length), offset };
  }
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
