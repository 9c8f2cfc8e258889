import { html, type Markup } from './html.ts';

/** Isolated from the direction of the surrounding text, with line breaks allowed after punctuation. */
export function renderFilename(filename: string): Markup {
  const parts = filename.split(/(?<=[-_. ])/);
  return html`<bdi>${parts.map((part, i) => [i > 0 && html`<wbr>`, part])}</bdi>`;
}
