/** Scripts written without spaces, in which words cannot be counted this way. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** `null` if the script has no spaces between words. */
export function countWords(lines: readonly string[]): number | null {
  const text = lines.join(' ');
  if (unspaced.test(text)) return null;
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
