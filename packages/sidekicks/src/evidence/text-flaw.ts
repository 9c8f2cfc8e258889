import { TextDecoder } from 'node:util';
import { assetBytesMax } from '@assay/contract/limits.ts';
import { encodingOf } from './is-text.ts';
import { readBytes } from './read-bytes.ts';
import type { Source } from './source.ts';

export const textWindowBytes = 64 * 1024;

/** What no text has: a NUL, or bytes that are no characters of its encoding. `offset` is where its window begins. */
export type TextFlaw = { kind: 'nul' | 'encoding'; offset: number };

/**
 * Looks at every byte, where recognition looks at samples; what is no text is left at its first flaw.
 * A file larger than a document may be is not looked at.
 */
export async function readTextFlaw({ bytes, signal }: Source): Promise<TextFlaw | null> {
  if (bytes.sizeBytes > assetBytesMax.document) return null;
  let decoder: TextDecoder | undefined;
  for (let offset = 0; offset < bytes.sizeBytes; offset += textWindowBytes) {
    signal.throwIfAborted();
    const window = await readBytes(bytes, offset, textWindowBytes);
    decoder ??= new TextDecoder(encodingOf(window), { fatal: true });
    const isLast = offset + textWindowBytes >= bytes.sizeBytes;
    const kind = flawOf(window, decoder, isLast);
    if (kind) return { kind, offset };
  }
  return null;
}

function flawOf(window: Uint8Array, decoder: TextDecoder, isLast: boolean): TextFlaw['kind'] | null {
  try {
    return decoder.decode(window, { stream: !isLast }).includes('\0') ? 'nul' : null;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // TextDecoder's way to say: not valid in this encoding. A NUL beside it makes clear that it is binary.
    return decoder.encoding === 'utf-8' && window.includes(0) ? 'nul' : 'encoding';
  }
}
