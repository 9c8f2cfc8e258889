import stringWidth from 'string-width';
import { type Output, type Style, stripControls } from './output.ts';
import { padEnd, wrap } from './text-width.ts';

export type Cell = string | { text: string; styles: Style[] };

/** Wrapped text in a narrower column is hard to read. */
const lastColumnWidthMin = 24;
const columnGap = '  ';

/** Columns are as wide as their content; the last one takes the rest of the line and wraps. */
export function formatTable(titles: string[], rows: Cell[][], output: Output, indent = ''): string {
  const texts = rows.map((row) => row.map((cell) => formatCell(cell, output)));
  const widths = titles
    .slice(0, -1)
    .map((title, i) => Math.max(stringWidth(title), ...texts.map((row) => stringWidth(row[i] ?? ''))));
  const leadWidth = widths.reduce((sum, width) => sum + width + columnGap.length, indent.length);
  const lastWidth = Math.max(lastColumnWidthMin, output.width() - leadWidth);
  const lead = (row: string[]) => indent + widths.map((width, i) => padEnd(row[i] ?? '', width) + columnGap).join('');

  const header = titles.some(Boolean) ? [output.paint(lead(titles) + titles.at(-1), 'dim')] : [];
  const body = texts.flatMap((row) => {
    const [first = '', ...rest] = wrap(row.at(-1) ?? '', lastWidth);
    return [(lead(row) + first).trimEnd(), ...rest.map((line) => ' '.repeat(leadWidth) + line)];
  });
  return [...header, ...body].join('\n');
}

/** `name  value`, one pair per line. */
export function formatFacts(facts: [string, Cell | null | undefined][], output: Output, indent = ''): string {
  const rows = facts.flatMap(([name, value]): Cell[][] =>
    value === null || value === undefined || value === '' ? [] : [[{ text: name, styles: ['dim'] }, value]],
  );
  return formatTable(['', ''], rows, output, indent);
}

function formatCell(cell: Cell, output: Output): string {
  return typeof cell === 'string' ? stripControls(cell) : output.paint(stripControls(cell.text), ...cell.styles);
}
