import { TextDecoder } from 'node:util';
import type { MediaType } from '@assay/contract/media-types.ts';
import { Refusal } from '@assay/contract/refusals.ts';
import { fileTypeFromTokenizer } from 'file-type';
import { AbstractTokenizer, EndOfStreamError, type IReadChunkOptions } from 'strtok3';

/** Bytes that can be read at any place, without holding them all. */
export type RandomAccess = {
  sizeBytes: number;
  /** Fills the target from this offset on and says how many bytes there were. */
  read(target: Uint8Array, offset: number): Promise<number>;
};

/** §4.2, §4.3: 415 unless the bytes are what name and type say. */
export async function requireBytesOf(media: MediaType, bytes: RandomAccess): Promise<void> {
  const detected = await fileTypeFromTokenizer(new RandomAccessTokenizer(bytes));
  const name = detected?.mime ?? ((await isText(bytes)) ? 'text' : 'unknown');
  if (!media.recognisedAs.includes(name)) {
    throw new Refusal('content_type_mismatch', { internal: `${name} declared as ${media.type}` });
  }
}

const chunkBytes = 64 * 1024;

// UTF-16 is told by its mark alone; in every other text a NUL means that it is none.
async function isText(bytes: RandomAccess): Promise<boolean> {
  const chunk = new Uint8Array(chunkBytes);
  let decoder: TextDecoder | undefined;
  try {
    for (let offset = 0; offset < bytes.sizeBytes; ) {
      const length = await bytes.read(chunk, offset);
      if (length === 0) break;
      decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true });
      if (decoder.decode(chunk.subarray(0, length), { stream: true }).includes('\0')) return false;
      offset += length;
    }
    decoder?.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false; // TextDecoder's way to say: not valid in this encoding
    throw error;
  }
}

function encodingOf(head: Uint8Array): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

class RandomAccessTokenizer extends AbstractTokenizer {
  override fileInfo: { size: number };
  readonly #bytes: RandomAccess;

  constructor(bytes: RandomAccess) {
    super();
    this.#bytes = bytes;
    this.fileInfo = { size: bytes.sizeBytes };
  }

  override supportsRandomAccess(): boolean {
    return true;
  }

  setPosition(position: number): void {
    this.position = position;
  }

  override async readBuffer(target: Uint8Array, options?: IReadChunkOptions): Promise<number> {
    const length = await this.peekBuffer(target, options);
    this.position = (options?.position ?? this.position) + length;
    return length;
  }

  override async peekBuffer(target: Uint8Array, options?: IReadChunkOptions): Promise<number> {
    const { length, position, mayBeLess } = this.normalizeOptions(target, options);
    if (length === 0) return 0;
    const available = await this.#bytes.read(target.subarray(0, length), position);
    if (available < length && !mayBeLess) throw new EndOfStreamError();
    return available;
  }
}
