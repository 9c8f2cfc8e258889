import type { MarkdownRenderer } from 'vitepress';

type Token = ReturnType<MarkdownRenderer['parse']>[number];

/** A column whose longest text has at least this length is prose, and keeps a readable width. */
const proseCharactersMin = 50;
/** Longer code in a cell can wrap after punctuation. Code with `longCharactersMin` has a class of its own. */
const unbrokenCharactersMax = 18;
const longCharactersMin = 31;

/** Lets keyboard users focus tables, because wide tables scroll horizontally. */
export function makeTablesReachable(md: MarkdownRenderer): void {
  md.renderer.rules.table_open = () => '<div class="table" role="group" tabindex="0" aria-label="Table"><table>\n';
  md.renderer.rules.table_close = () => '</table></div>\n';
  md.core.ruler.push('mark_prose_columns', ({ tokens }) => markProseColumns(tokens));
  md.core.ruler.push('break_code_in_cells', ({ tokens }) => breakCodeInCells(md, tokens));
}

/** Adds a class to columns of prose, because the style sheet cannot tell how long texts are. */
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

/** The class of a prose column: a single one gets most of the width, and three or more share it. */
function classOf(proseColumns: number): string {
  if (proseColumns === 1) return 'prose main';
  return proseColumns === 2 ? 'prose' : 'prose one-of-many';
}

/** The length of the words in a cell, without link addresses and code: a list of values is not prose. */
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
