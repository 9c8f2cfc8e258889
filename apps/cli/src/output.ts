import { stripVTControlCharacters } from 'node:util';
import type { Environment } from './settings.ts';

const styles = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  cyan: [36, 39],
} as const;
export type Style = keyof typeof styles;

export type Output = {
  isTerminal: boolean;
  /** Letters in a line; without bound where nobody reads lines. */
  width(): number;
  /** In colour where that is seen, and as it is elsewhere. */
  paint(text: string, ...by: Style[]): string;
  line(text?: string): void;
  write(text: string): void;
};

export function createOutput(stream: NodeJS.WriteStream, environment: Environment): Output {
  const isTerminal = stream.isTTY === true;
  const hasColours = isTerminal && !environment.NO_COLOR && environment.TERM !== 'dumb';
  return {
    isTerminal,
    width: () => (isTerminal ? Math.max(40, stream.columns || 80) : Number.POSITIVE_INFINITY),
    paint: (text, ...by) =>
      hasColours
        ? by.reduce((inner, style) => `\x1b[${styles[style][0]}m${inner}\x1b[${styles[style][1]}m`, text)
        : text,
    line: (text = '') => void stream.write(`${text}\n`),
    write: (text) => void stream.write(text),
  };
}

/** Text from elsewhere without anything that a terminal would obey: a file's name must not move the cursor. */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is meant
  return stripVTControlCharacters(text).replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, ' ');
}

/** How many columns a terminal gives it: wide letters take two, marks upon letters none. */
export function widthOf(text: string): number {
  let width = 0;
  for (const letter of text) {
    if (/\p{Mark}|\u200d|\ufe0f/u.test(letter)) continue;
    width +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u.test(
        letter,
      )
        ? 2
        : 1;
  }
  return width;
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** Cut in the middle, as both ends of a name tell something. */
export function shorten(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const letters = [...text];
  const tail: string[] = [];
  const head: string[] = [];
  for (let i = 0, used = 1; i < letters.length; i++) {
    const letter = (i % 2 === 0 ? letters[i / 2] : letters.at(-(i + 1) / 2)) as string;
    used += widthOf(letter);
    if (used > width) break;
    if (i % 2 === 0) head.push(letter);
    else tail.unshift(letter);
  }
  return `${head.join('')}…${tail.join('')}`;
}

/** Cut at the end, as sentences are. */
export function cut(text: string, width: number): string {
  return widthOf(text) <= width
    ? text
    : `${[...text]
        .slice(0, width - 1)
        .join('')
        .trimEnd()}…`;
}

/** Lines of at most so many columns, broken between words where that goes. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (let word of text.split(/\s+/)) {
    if (line && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line);
      line = '';
    }
    while (widthOf(word) > width) {
      const letters = [...word];
      lines.push(letters.slice(0, width).join(''));
      word = letters.slice(width).join('');
    }
    line = line ? `${line} ${word}` : word;
  }
  return [...lines, line];
}

export function formatJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
