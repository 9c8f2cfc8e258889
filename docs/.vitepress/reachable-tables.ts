import type { MarkdownRenderer } from 'vitepress';

/** A wide table scrolls sideways; keyboard users must be able to focus it. */
export function makeTablesReachable(md: MarkdownRenderer): void {
  md.renderer.rules.table_open = () => '<div class="table" role="group" tabindex="0" aria-label="Table"><table>\n';
  md.renderer.rules.table_close = () => '</table></div>\n';
}
