import { html, type Markup } from './html.ts';

/** A name and its value in a description list. */
export function renderFact(name: string, value: Markup | string, className = ''): Markup {
  return html`<div${className && html` class="${className}"`}><dt>${name}</dt><dd>${value}</dd></div>`;
}
