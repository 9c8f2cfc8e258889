// Formats text from a file for issue texts. Text from a file may be hostile or of any length.
import { formatInteger } from './format-values.ts';

const shownItemsMax = 3;

/** Replaces control characters, format characters and lone surrogates, and limits the length. */
export function toPlainText(text: string, charactersMax = 80): string {
  const clean = text.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Co}\u2028\u2029]/gu, '·');
  const shown = [...clean.slice(0, 2 * charactersMax)];
  return shown.length > charactersMax ? `${shown.slice(0, charactersMax).join('')}…` : shown.join('');
}

export function quote(text: string): string {
  return `‘${toPlainText(text)}’`;
}

/** `a, b, c and 3 more` */
export function listFirst(items: readonly string[], format: (item: string) => string = toPlainText): string {
  const shown = items
    .slice(0, shownItemsMax)
    .map((item) => format(item))
    .join(', ');
  return items.length > shownItemsMax ? `${shown} and ${formatInteger(items.length - shownItemsMax)} more` : shown;
}
