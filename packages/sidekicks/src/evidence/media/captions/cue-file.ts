import { TextDecoder } from 'node:util';
import type { RandomAccess } from '@assay/jail/source/random-access.ts';
import type { Source } from '@assay/jail/source/source.ts';
import { readBytes } from '../../file/bytes/read-bytes.ts';
import { encodingOf } from '../../file/plain-text/is-text.ts';
import { mediaBounds } from '../bounds.ts';
import { type Flaw, flawKinds } from './flaws.ts';
import { type Cue, parseCues } from './parse-cues.ts';
import { looksLikeTiming } from './timing.ts';

export type CueFile = {
  format: 'vtt' | 'srt';
  /** The language that the header of a WebVTT file declares. */
  language: string | null;
  cues: Cue[];
  flaws: Flaw[];
};

const headBytes = 64 * 1024;
/** A SubRip file has its first time within this many non-empty lines. */
const linesBeforeTimeMax = 5;

const vttSignature = /^WEBVTT(?:[ \t\r\n]|$)/;

type DecodedText = { text: string; encoding: string };

/** WebVTT is recognised by its signature, SubRip by its first time; `null` for other files. */
export async function recogniseCues(bytes: RandomAccess): Promise<CueFile['format'] | null> {
  return formatOf(decode(await readBytes(bytes, 0, headBytes), bytes.sizeBytes > headBytes));
}

/** Reads a caption file; `null` for other files. */
export async function readCueFile({ bytes, signal }: Source): Promise<CueFile | null> {
  signal.throwIfAborted();
  if (!(await recogniseCues(bytes))) return null;

  const isCut = bytes.sizeBytes > mediaBounds.captionFileBytes.max;
  const decoded = decode(await readBytes(bytes, 0, mediaBounds.captionFileBytes.max), isCut);
  const format = formatOf(decoded);
  if (!decoded || !format) return null;
  const { language, cues, flaws } = parseCues(decoded.text, format);
  return { format, language, cues, flaws: [...fileFlaws(decoded.encoding, format, isCut), ...flaws] };
}

/** Many programs still write Windows-1252. Text that is not valid UTF-8 is decoded as such. */
function decode(bytes: Uint8Array, isCut: boolean): DecodedText | null {
  const encoding = encodingOf(bytes);
  for (const name of encoding === 'utf-8' ? [encoding, 'windows-1252'] : [encoding]) {
    try {
      const text = new TextDecoder(name, { fatal: true }).decode(bytes, { stream: isCut });
      return text.includes('\0') ? null : { text, encoding: name };
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // a TypeError means that the bytes are invalid in this encoding
    }
  }
  return null;
}

function formatOf(decoded: DecodedText | null): CueFile['format'] | null {
  if (!decoded) return null;
  if (vttSignature.test(decoded.text)) return 'vtt';
  let from = 0;
  for (let lineCount = 0; lineCount < linesBeforeTimeMax && from < Math.min(decoded.text.length, headBytes); ) {
    const end = /[\r\n]/g;
    end.lastIndex = from;
    const to = end.exec(decoded.text)?.index ?? decoded.text.length;
    const line = decoded.text.slice(from, to);
    if (looksLikeTiming(line, 'srt')) return 'srt';
    if (line.trim() !== '') lineCount++;
    from = to + 1;
  }
  return null;
}

function fileFlaws(encoding: string, format: CueFile['format'], isCut: boolean): Flaw[] {
  const flaws: Flaw[] = [];
  if (encoding === 'windows-1252') flaws.push({ line: 1, ...flawKinds.notUnicode });
  if (encoding.startsWith('utf-16') && format === 'vtt') flaws.push({ line: 1, ...flawKinds.notUtf8 });
  if (isCut) flaws.push({ line: 1, ...flawKinds.tooLarge });
  return flaws;
}
