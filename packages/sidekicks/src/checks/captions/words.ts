const quotedCharactersMax = 60;
const listedMax = 3;

/** Scripts that are written without spaces, where words cannot be counted by them. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** `1 caption`, `3 captions` */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en-GB')} ${number === 1 ? one : many}`;
}

/** 83_450 → `1:23.4` */
export function clock(milliseconds: number): string {
  const tenths = Math.floor(milliseconds / 100);
  const minutes = Math.floor(tenths / 600);
  const seconds = ((tenths % 600) / 10).toFixed(1).padStart(4, '0');
  return minutes < 60
    ? `${minutes}:${seconds}`
    : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${seconds}`;
}

/** Without anything that could upset who shows it: control and format characters, half characters, endless length. */
export function plain(text: string): string {
  const clean = text.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Co}\u2028\u2029]/gu, '·');
  const shown = [...clean.slice(0, 2 * quotedCharactersMax)];
  return shown.length > quotedCharactersMax ? `${shown.slice(0, quotedCharactersMax).join('')}…` : shown.join('');
}

/** `line 4`, `lines 4, 9, 12 and 3 more` */
export function listLines(lines: readonly number[]): string {
  const shown = lines.slice(0, listedMax).join(', ');
  const more = lines.length > listedMax ? ` and ${(lines.length - listedMax).toLocaleString('en-GB')} more` : '';
  return `${lines.length === 1 ? 'line' : 'lines'} ${shown}${more}`;
}

/** `null` where the script has no spaces between words. */
export function countWords(lines: readonly string[]): number | null {
  const text = lines.join(' ');
  if (unspaced.test(text)) return null;
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
