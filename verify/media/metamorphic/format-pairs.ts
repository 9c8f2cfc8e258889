import type { PairResult } from './run-pairs.ts';

/** A table of the pairs by the way in which the clip was stored, and what each that is not the same says. */
export function formatPairs(results: readonly PairResult[]): string {
  const rows = [...Map.groupBy(results, ({ way }) => way.name)]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([way, all]) => [way, all.length, all.filter(isDifferent).length, all.filter(isIncomplete).length]);
  const total = ['all', results.length, results.filter(isDifferent).length, results.filter(isIncomplete).length];
  const table = [['way', 'pairs', 'different', 'incomplete'], ['---', '--:', '--:', '--:'], ...rows, total];
  const details = results
    .filter((result) => isDifferent(result) || isIncomplete(result))
    .map(({ name, differences, incomplete }) => [name, ...differences, ...incomplete].join('\n  '));
  return [...table.map((cells) => `| ${cells.join(' | ')} |`), '', ...details].join('\n');
}

export const isDifferent = ({ differences }: PairResult) => differences.length > 0;
export const isIncomplete = ({ incomplete }: PairResult) => incomplete.length > 0;
