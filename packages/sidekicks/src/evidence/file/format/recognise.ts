import type { RandomAccess } from '@assay/jail/source/random-access.ts';
import { fileTypeFromTokenizer } from 'file-type';
import { AbstractTokenizer, EndOfStreamError, type IReadChunkOptions } from 'strtok3';
import { readBytes } from '../bytes/read-bytes.ts';
import { isOlderText, isText, sampleWindows } from '../plain-text/is-text.ts';

// Formats that are themselves plain text. All others have short signatures with which text can also start: "BMW" is not
// a BMP, "GIFs" is not a GIF, and a "G" that recurs after 188 bytes is not an MPEG transport stream.
const textFormats = /^text\/|^application\/(?:pdf|postscript|eps|rtf|xml)$|\+xml$/;

/** How formats begin that `file-type` does not know, or only without what may precede them. */
const beginnings: [mime: string, beginning: RegExp][] = [
  ['audio/wav', /^(?:RF64|BW64)[\s\S]{4}WAVE/], // WAV with sizes of 64 bits
  ['application/pdf', /^\s{1,1000}%PDF-\d/],
  ['image/avif', /^[\s\S]{4}ftypmif1[\s\S]{4}(?:[\s\S]{4}){0,8}?avif/], // its main brand is that of HEIF
];
const beginningBytes = 1024;

/** The detected format: a MIME type, `text` for plain text of no known format, or `unknown`. */
export async function recognise(bytes: RandomAccess): Promise<string> {
  const head = (await readBytes(bytes, 0, beginningBytes)).toString('latin1');
  const known = beginnings.find(([, beginning]) => beginning.test(head));
  if (known) return known[0];
  const detected = await fileTypeFromTokenizer(new RandomAccessTokenizer(bytes));
  if (detected && textFormats.test(detected.mime)) return detected.mime;
  if (await isText(bytes)) return 'text';
  if (detected) return detected.mime;
  return (await isOlderText(sampleWindows(bytes))) ? 'text' : 'unknown';
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
