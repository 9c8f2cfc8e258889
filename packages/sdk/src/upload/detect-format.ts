type Format = {
  name: string;
  /** Extensions of files in this format. */
  extensions: readonly string[];
};
type Signature = [offset: number, bytes: string];

/** How many bytes from the start of a file are needed to detect its format. */
export const headBytes = 4096;

const audioExtensions = ['mp3', 'aac', 'flac', 'wav', 'aiff', 'aif', 'ogg', 'oga', 'opus', 'm4a'];
const heifBrands = ['heic', 'heix', 'hevc', 'hevx', 'mif1', 'msf1', 'avif', 'avis'];

/**
 * Formats that the first bytes identify with certainty. All others are left to the service, which reads the whole file:
 * a file that it would accept must never be rejected here. Formats that these bytes cannot tell apart share a row.
 */
const formatRows: [name: string, extensions: string[], ...signatures: Signature[]][] = [
  ['PNG', ['png'], [0, '\x89PNG\r\n\x1a\n']],
  ['JPEG', ['jpg', 'jpeg'], [0, '\xff\xd8\xff']],
  ['GIF', ['gif'], [0, 'GIF8']],
  ['TIFF', ['tif', 'tiff'], [0, 'II*\0']],
  ['TIFF', ['tif', 'tiff'], [0, 'MM\0*']],
  ['WebP', ['webp'], [0, 'RIFF'], [8, 'WEBP']],
  ['WAV', ['wav'], [0, 'RIFF'], [8, 'WAVE']],
  ['AVI', ['avi'], [0, 'RIFF'], [8, 'AVI ']],
  ['AIFF', ['aiff', 'aif'], [0, 'FORM'], [8, 'AIF']],
  ['FLAC', ['flac'], [0, 'fLaC']],
  ['Ogg', ['ogg', 'oga', 'opus'], [0, 'OggS']],
  ['audio with an ID3 tag', audioExtensions, [0, 'ID3']],
  ['Matroska or WebM', ['mkv', 'webm'], [0, '\x1aE\xdf\xa3']],
  ['MXF', ['mxf'], [0, '\x06\x0e+4\x02\x05\x01\x01']],
  ...heifBrands.map((brand): [string, string[], Signature, Signature] => [
    'HEIC or AVIF',
    ['heic', 'heif', 'avif'],
    [4, 'ftyp'],
    [8, brand],
  ]),
  ['MP4 or QuickTime', ['mp4', 'm4v', 'mov', 'qt', '3gp', 'm4a'], [4, 'ftyp']],
  ['PDF', ['pdf'], [0, '%PDF-']],
  ['ZIP or Office', ['docx', 'pptx', 'xlsx'], [0, 'PK\x03\x04']],
];

/** The format of a file, if its first bytes identify it with certainty. */
export function detectFormat(head: Uint8Array): Format | undefined {
  if (isPlainText(head)) return { name: 'plain text', extensions: ['txt', 'vtt', 'srt'] };
  const text = String.fromCharCode(...head.subarray(0, 16));
  const row = formatRows.find(([, , ...signatures]) =>
    signatures.every(([offset, bytes]) => text.startsWith(bytes, offset)),
  );
  return row && { name: row[0], extensions: row[1] };
}

/** Plain text may begin with the signature of another format. A PDF counts as a PDF even if it is all text. */
function isPlainText(head: Uint8Array): boolean {
  try {
    // Decoded as a stream, because the last character may be incomplete.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return !/[^\P{Cc}\t\n\f\r]/u.test(text) && !text.includes('%PDF');
  } catch {
    return false;
  }
}
