import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';

const segmenter = new Intl.Segmenter();

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}

/** Splits text into lines of at most `width` columns, between words where possible. */
export function wrap(text: string, width: number): string[] {
  return Number.isFinite(width) ? wrapAnsi(text, width, { hard: true }).split('\n') : [text];
}

/** Truncates in the middle: both ends of a file name matter. */
export function truncateMiddle(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  const characters = charactersOf(text);
  const head: string[] = [];
  const tail: string[] = [];
  for (let i = 0, used = 1; i < characters.length; i++) {
    const isHead = i % 2 === 0;
    const character = (isHead ? characters[i / 2] : characters.at(-(i + 1) / 2)) as string;
    used += stringWidth(character);
    if (used > width) break;
    if (isHead) head.push(character);
    else tail.unshift(character);
  }
  return `${head.join('')}…${tail.join('')}`;
}

/** Truncates at the end, for sentences. */
export function truncateEnd(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  let used = 1;
  for (const character of charactersOf(text)) {
    used += stringWidth(character);
    if (used > width) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

/** Characters as a reader counts them: an emoji of several code points, or a letter with its accents, is one. */
function charactersOf(text: string): string[] {
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}
