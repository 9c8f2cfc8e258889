const listedMax = 3;

/** Scripts that are written without spaces, where words cannot be counted by them. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

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
