import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A full-size suite: a row of suites.md. */
export type Suite = { suite: string; group: string; command: string };

/** The last result of a suite: a row of report.md. */
export type ReportRow = Record<'suite' | 'result' | 'figure' | 'minutes' | 'commit' | 'date' | 'command', string>;

const suitesFile = join(import.meta.dirname, 'suites.md');
export const reportFile = join(import.meta.dirname, 'report.md');

export const readSuites = () => parseTable(readFileSync(suitesFile, 'utf8')) as Suite[];
export const readReport = () =>
  existsSync(reportFile) ? (parseTable(readFileSync(reportFile, 'utf8')) as ReportRow[]) : [];

/** Returns the rows of a Markdown page's table as records, with the headings as keys. */
function parseTable(page: string): Record<string, string>[] {
  const lines = page.split('\n').filter((line) => line.startsWith('|'));
  const [headings = [], , ...rows] = lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const unquote = (cell = '') => cell.replace(/^`(.*)`$/, '$1');
  return rows.map((cells) => Object.fromEntries(headings.map((heading, i) => [heading, unquote(cells[i])])));
}
