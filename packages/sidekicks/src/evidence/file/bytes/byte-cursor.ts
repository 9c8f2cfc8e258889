import type { Source } from '@assay/jail/source/source.ts';
import { readBytes } from './read-bytes.ts';

const windowBytes = 64 * 1024;

/**
 * Reads a file forwards through one window. It never goes back, so the size of the file bounds its reads. Only `fill`
 * is asynchronous: a hostile file can need tens of millions of steps, and a promise for each would take minutes.
 */
export type ByteCursor = {
  position(): number;
  skip(lengthBytes: number): void;
  /** Whether the window has this many more bytes. If not, call `fill` first. */
  has(lengthBytes: number): boolean;
  fill(): Promise<void>;
  /** The next byte; -1 at the end of the window. */
  byte(): number;
  /** The next bytes; fewer at the end of the window. */
  take(lengthBytes: number): Buffer;
  /** Moves to the next occurrence of the byte in the window. If there is none, moves to the end and returns false. */
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
