import { type Output, padEnd, plain, type Style, widthOf, wrap } from './output.ts';

export type Cell = string | { text: string; styles: Style[] };

/** Narrower than this, text that wraps is no longer read with pleasure. */
const lastColumnMin = 24;
const gap = '  ';

/** Columns as wide as what is in them; the last takes what is left, and wraps. */
export function formatTable(titles: string[], rows: Cell[][], output: Output, indent = ''): string {
  const texts = rows.map((row) => row.map((cell) => plain(typeof cell === 'string' ? cell : cell.text)));
  const widths = titles.map((title, i) => Math.max(widthOf(title), ...texts.map((row) => widthOf(row[i] ?? ''))));
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + gap.length, indent.length);
  const lastWidth = Math.max(lastColumnMin, output.width() - before);

  const lines = titles.some(Boolean)
    ? [
        indent +
          output.paint(
            titles
              .map((title, i) => padCell(title, i))
              .join(gap)
              .trimEnd(),
            'dim',
          ),
      ]
    : [];
  for (const [n, row] of texts.entries()) {
    const head = row
      .slice(0, -1)
      .map((text, i) => painted(rows[n]?.[i], padCell(text, i)) + gap)
      .join('');
    const [first = '', ...rest] = wrap(row.at(-1) ?? '', lastWidth);
    const last = rows[n]?.at(-1);
    lines.push((indent + head + painted(last, first)).trimEnd());
    for (const line of rest) lines.push(' '.repeat(before) + painted(last, line));
  }
  return lines.join('\n');

  function padCell(text: string, i: number): string {
    return i === titles.length - 1 ? text : padEnd(text, widths[i] ?? 0);
  }
  function painted(cell: Cell | undefined, text: string): string {
    return cell === undefined || typeof cell === 'string' ? text : output.paint(text, ...cell.styles);
  }
}

/** `name  value`, one to a line. */
export function formatFacts(facts: [string, Cell | null | undefined][], output: Output, indent = ''): string {
  const rows = facts.flatMap(([name, value]): Cell[][] =>
    value === null || value === undefined || value === '' ? [] : [[{ text: name, styles: ['dim'] }, value]],
  );
  return formatTable(['', ''], rows, output, indent);
}
