import { html, type Markup } from './html.ts';

/** Kept apart from the text around it, and broken where a person would break it. */
export function renderFilename(filename: string): Markup {
  const parts = filename.split(/(?<=[-_. ])/);
  return html`<bdi>${parts.map((part, i) => [i > 0 && html`<wbr>`, part])}</bdi>`;
}
