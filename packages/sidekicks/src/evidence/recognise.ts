import { fileTypeFromTokenizer } from 'file-type';
import { AbstractTokenizer, EndOfStreamError, type IReadChunkOptions } from 'strtok3';
import { isText } from './is-text.ts';
import type { RandomAccess } from './random-access.ts';

// Formats that are written in plain text. Any other is told by a few letters with which a text may begin just as
// well: BMW is no bitmap, GIFs are no picture, and a G that comes again after 188 bytes makes no film.
const writtenAsText = /^text\/|^application\/(?:pdf|postscript|eps|rtf|xml)$|\+xml$/;

/** The name under which these bytes are known: a MIME type, `text` for anything that is only text, else `unknown`. */
export async function recognise(bytes: RandomAccess): Promise<string> {
  const detected = await fileTypeFromTokenizer(new RandomAccessTokenizer(bytes));
  if (detected && writtenAsText.test(detected.mime)) return detected.mime;
  return (await isText(bytes)) ? 'text' : (detected?.mime ?? 'unknown');
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
