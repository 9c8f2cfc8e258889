import type { MarkdownRenderer } from 'vitepress';

type Token = ReturnType<MarkdownRenderer['parse']>[number];

/** A column with a text longer than this is prose, and keeps a readable width. */
const proseCharactersMin = 50;
/** Code in a cell that is longer than this may break at its punctuation; in the first column only if it is long. */
const unbrokenCharactersMax = 18;
const longCharactersMin = 31;

/** A wide table scrolls sideways; keyboard users must be able to focus it. */
export function makeTablesReachable(md: MarkdownRenderer): void {
  md.renderer.rules.table_open = () => '<div class="table" role="group" tabindex="0" aria-label="Table"><table>\n';
  md.renderer.rules.table_close = () => '</table></div>\n';
  md.core.ruler.push('mark_prose_columns', ({ tokens }) => markProseColumns(tokens));
  md.core.ruler.push('break_code_in_cells', ({ tokens }) => breakCodeInCells(md, tokens));
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
    const prose = cells.filter((_, n) => (lengths[n] ?? 0) >= proseCharactersMin);
    for (const cell of prose.flat()) cell.attrJoin('class', classOf(prose.length));
  });
}

/** A single column of prose gets most of the width; three share what there is. */
function classOf(proseColumns: number): string {
  if (proseColumns === 1) return 'prose main';
  return proseColumns === 2 ? 'prose' : 'prose one-of-many';
}

/** Words, not the addresses of links, and not code: a list of values is not prose. */
function textLengthOf(inline: Token | undefined): number {
  const texts = (inline?.children ?? []).filter(({ type }) => type === 'text');
  return texts.reduce((sum, { content }) => sum + content.length, 0);
}

function breakCodeInCells(md: MarkdownRenderer, tokens: Token[]): void {
  tokens.forEach((token, i) => {
    if (token.type !== 'th_open' && token.type !== 'td_open') return;
    for (const child of tokens[i + 1]?.children ?? []) {
      if (child.type !== 'code_inline' || child.content.length <= unbrokenCharactersMax) continue;
      const parts = child.content.split(/(?<=[_/,.:=-])(?=[\p{L}\p{N}{<])/u);
      const name = child.content.length >= longCharactersMin ? ' class="long"' : '';
      child.type = 'html_inline';
      child.content = `<code v-pre${name}>${parts.map((part) => md.utils.escapeHtml(part)).join('<wbr>')}</code>`;
    }
  });
}
