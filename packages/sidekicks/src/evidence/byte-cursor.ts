import { readBytes } from './read-bytes.ts';
import type { Source } from './source.ts';

const windowBytes = 64 * 1024;

/**
 * Walks a file forwards through one window. As it never goes back, its reads are bounded by the size of the file.
 * Only `fill` waits: a hostile file has tens of millions of steps, and a promise for each would cost minutes.
 */
export type ByteCursor = {
  position(): number;
  skip(lengthBytes: number): void;
  /** Whether the window holds so many more bytes; if not, `fill` first. */
  has(lengthBytes: number): boolean;
  fill(): Promise<void>;
  /** The next byte, -1 at the end of the window. */
  byte(): number;
  /** The next bytes, fewer at the end of the window. */
  take(lengthBytes: number): Buffer;
  /** Moves to the next such byte in the window, else to the window's end, and says which. */
  moveTo(byte: number): boolean;
};

export function createByteCursor({ bytes, signal }: Source, from: number, to: number): ByteCursor {
  let window: Buffer = Buffer.alloc(0);
  let windowAt = from;
  let position = from;
  return {
    position: () => position,
    skip: (lengthBytes) => {
      position += lengthBytes;
    },
    has: (lengthBytes) => position + lengthBytes <= windowAt + window.length,
    fill: async () => {
      signal.throwIfAborted();
      window = await readBytes(bytes, position, Math.min(windowBytes, to - position));
      windowAt = position;
    },
    byte: () => window[position++ - windowAt] ?? -1,
    take: (lengthBytes) => {
      const taken = window.subarray(position - windowAt, position - windowAt + lengthBytes);
      position += taken.length;
      return taken;
    },
    moveTo: (byte) => {
      const at = window.indexOf(byte, position - windowAt);
      position = windowAt + (at < 0 ? window.length : at);
      return at >= 0;
    },
  };
}
