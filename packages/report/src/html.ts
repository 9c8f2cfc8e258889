// A symbol, because JSON cannot contain one: data from the API can never be mistaken for markup.
const markup: unique symbol = Symbol('markup');

export type Markup = { readonly [markup]: string };
export type HtmlPart = Markup | string | number | null | undefined | false | readonly HtmlPart[];

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
// Control characters and characters that change the text direction can disguise a file name.
const invisibleCharacters = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const whitespace = /[\t\n\r]/;

/** Escapes every value except the results of `html` itself. */
export function html(strings: TemplateStringsArray, ...parts: HtmlPart[]): Markup {
  return raw(strings.map((text, i) => text + (i < parts.length ? textOf(parts[i]) : '')).join(''));
}

/** Marks trusted text, such as the style sheet, as markup that is not escaped. */
export function raw(text: string): Markup {
  return { [markup]: text };
}

export function textOf(part: HtmlPart): string {
  if (part === null || part === undefined || part === false) return '';
  if (typeof part === 'string') return escapeText(part);
  if (typeof part === 'number') return String(part);
  if (isMarkup(part)) return part[markup];
  return Array.isArray(part) ? part.map(textOf).join('') : escapeText(String(part));
}

function isMarkup(part: object): part is Markup {
  return markup in part;
}

function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replace(invisibleCharacters, (character) => (whitespace.test(character) ? character : codePointLabel(character)))
    .replace(/[&<>"']/g, (character) => entities[character] as string);
}

function codePointLabel(character: string): string {
  return `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;
}
