/** Scripts that put no spaces between words, so that their words cannot be counted. */
const unspacedScripts = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Returns `null` if the script has no spaces between words. */
export function countWords(lines: readonly string[]): number | null {
  const text = lines.join(' ');
  if (unspacedScripts.test(text)) return null;
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
