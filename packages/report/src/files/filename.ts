import { html, type Markup } from '../html.ts';

/** A file name whose text direction does not affect the surrounding text, and that can wrap after punctuation. */
export function renderFilename(filename: string): Markup {
  const parts = filename.split(/(?<=[-_. ])/);
  return html`<bdi>${parts.map((part, i) => [i > 0 && html`<wbr>`, part])}</bdi>`;
}
