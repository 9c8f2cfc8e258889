import { stripVTControlCharacters } from 'node:util';
import type { Environment } from '../settings.ts';

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
  /** Columns per line; unlimited when the output is not a terminal. */
  width(): number;
  /** Adds colour if the output is a terminal that supports it; otherwise returns the text unchanged. */
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

/** Removes control characters from untrusted text: a file name must not be able to move the cursor. */
export function stripControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
  return stripVTControlCharacters(text).replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, ' ');
}

export function formatJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
