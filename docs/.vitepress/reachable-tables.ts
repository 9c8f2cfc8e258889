import type { MarkdownRenderer } from 'vitepress';

type Token = ReturnType<MarkdownRenderer['parse']>[number];

/** A column with a text longer than this is prose, and keeps a readable width. */
const proseCharactersMin = 50;
/** Inline code longer than this may break at its punctuation. */
const unbrokenCharactersMax = 20;

/** A wide table scrolls sideways; keyboard users must be able to focus it. */
export function makeTablesReachable(md: MarkdownRenderer): void {
  md.renderer.rules.table_open = () => '<div class="table" role="group" tabindex="0" aria-label="Table"><table>\n';
  md.renderer.rules.table_close = () => '</table></div>\n';
  md.core.ruler.push('mark_prose_columns', ({ tokens }) => markProseColumns(tokens));
  md.renderer.rules.code_inline = (tokens, i) => `<code v-pre>${breakable(md, tokens[i]?.content ?? '')}</code>`;
}

/** The style sheet cannot tell which columns have long texts. */
function markProseColumns(tokens: Token[]): void {
  let cells: Token[][] = [];
  let lengths: number[] = [];
  let column = 0;
  tokens.forEach((token, i) => {
    if (token.type === 'table_open') [cells, lengths] = [[], []];
    if (token.type === 'tr_open') column = 0;
    if (token.type === 'th_open' || token.type === 'td_open') {
      cells[column] = [...(cells[column] ?? []), token];
      lengths[column] = Math.max(lengths[column] ?? 0, textLengthOf(tokens[i + 1]));
      column++;
    }
    if (token.type !== 'table_close') return;
    cells.forEach((own, n) => {
      if ((lengths[n] ?? 0) >= proseCharactersMin) for (const cell of own) cell.attrJoin('class', 'prose');
    });
  });
}

/** Without the addresses of links. */
function textLengthOf(inline: Token | undefined): number {
  return (inline?.children ?? []).reduce((sum, { content }) => sum + content.length, 0);
}

function breakable(md: MarkdownRenderer, code: string): string {
  const escaped = (text: string) => md.utils.escapeHtml(text);
  if (code.length <= unbrokenCharactersMax) return escaped(code);
  return code
    .split(/(?<=[_/,.:=-])(?=[\p{L}\p{N}{<])/u)
    .map(escaped)
    .join('<wbr>');
}
