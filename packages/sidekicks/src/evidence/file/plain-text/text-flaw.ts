import { TextDecoder } from 'node:util';
import type { RandomAccess } from '@assay/jail/source/random-access.ts';
import type { Source } from '@assay/jail/source/source.ts';
import { type Bounded, createReading, type Limits } from '#evidence/bounded.ts';
import { readBytes } from '../bytes/read-bytes.ts';
import { encodingOf, isOlderText } from './is-text.ts';

export const textWindowBytes = 64 * 1024;

/** A NUL, or bytes that are invalid in the text's encoding. `offset` is the start of the window with the flaw. */
export type TextFlaw = { kind: 'nul' | 'encoding'; offset: number };

/**
 * Finds the first flaw. Reads every byte, whereas format recognition only samples. Text in an older encoding, such as
 * Windows-1252, has none.
 */
export async function readTextFlaw(
  { bytes, signal }: Source,
  limits?: Limits,
): Promise<Bounded & { flaw: TextFlaw | null }> {
  const reading = createReading(limits);
  const isWithin = reading.accepts('textBytes', bytes.sizeBytes);
  const flaw = isWithin ? await findFlaw(bytes, signal) : null;
  const isOther = flaw?.kind === 'encoding' && (await isOlderText(readWindows(bytes, signal)));
  return { flaw: isOther ? null : flaw, hit: reading.hit };
}

async function* readWindows(bytes: RandomAccess, signal: AbortSignal) {
  for (let offset = 0; offset < bytes.sizeBytes; offset += textWindowBytes) {
    signal.throwIfAborted();
    yield { window: await readBytes(bytes, offset, textWindowBytes), offset };
  }
}

async function findFlaw(bytes: RandomAccess, signal: AbortSignal): Promise<TextFlaw | null> {
  let decoder: TextDecoder | undefined;
  for await (const { window, offset } of readWindows(bytes, signal)) {
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
    // TextDecoder throws a TypeError for bytes that are invalid in this encoding. If there is also a NUL, the file is
    // binary.
    return decoder.encoding === 'utf-8' && window.includes(0) ? 'nul' : 'encoding';
  }
}
