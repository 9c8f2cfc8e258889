import type { MarkdownRenderer } from 'vitepress';

/** A wide table scrolls sideways; whoever has no mouse needs to get into it to do so. */
export function makeTablesReachable(md: MarkdownRenderer): void {
  md.renderer.rules.table_open = () => '<div class="table" role="group" tabindex="0" aria-label="Table"><table>\n';
  md.renderer.rules.table_close = () => '</table></div>\n';
}
