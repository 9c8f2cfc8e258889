import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatTable } from '@assay/testing/measure/table.ts';
import { readHistory } from './check/history.ts';
import type { Part } from './load/schedule.ts';
import { formatCommand, judge, type Verdict } from './verdict.ts';

export const historyName = 'history.jsonl.gz';

/** Where the results of a part are written. */
export function folderOf(folder: string, { number, count }: Part): string {
  return count === 1 ? folder : join(folder, `part-${number}`);
}

/** Writes a summary of all parts, including those run earlier with the same seed; returns the text. */
export function summarise(folder: string, partCount: number): string {
  const parts = Array.from({ length: partCount }, (_, i) => ({ number: i + 1, count: partCount }));
  const verdicts = parts.flatMap((part) => {
    const file = join(folderOf(folder, part), historyName);
    const history = existsSync(file) ? readHistory(file) : [];
    // Without its setting it is of an earlier version, or of a part that did not start.
    return history.some(({ op }) => op === 'setting') ? [judge(history)] : [];
  });
  const text = formatSummary(verdicts, partCount);
  // The history of a run in one part is not a result of these parts.
  rmSync(join(folder, historyName), { force: true });
  writeFileSync(join(folder, 'verdict.md'), `${text}\n`);
  return text;
}

/** The run is complete if every part has a verdict, with the same seed and all planned strikes. */
export function formatSummary(verdicts: Verdict[], partCount: number): string {
  const seeds = new Set(verdicts.map(({ seed }) => seed));
  const isCutShort = verdicts.some(({ strikes }) => strikes.done < strikes.planned);
  const isFull = verdicts.length === partCount && seeds.size === 1 && !isCutShort;
  const sum = (countOf: (verdict: Verdict) => number) => verdicts.reduce((total, one) => total + countOf(one), 0);
  const rows = verdicts.map((verdict) => ({
    part: `${verdict.part.number} of ${verdict.part.count}`,
    command: `\`${formatCommand(verdict)}\``,
    date: verdict.date,
    strikes: `${verdict.strikes.done} of ${verdict.strikes.planned}`,
    acknowledged: String(verdict.counts['submissions acknowledged'] ?? 0),
    'settled after s': String(verdict.settledSecondsAfterLastFault),
    violations: String(verdict.violationCount),
  }));
  return [
    `# Chaos: ${sum(({ violationCount }) => violationCount)} violations${isFull ? '' : ', not in full'}`,
    '',
    isFull
      ? `All ${partCount} parts of the schedule with seed ${[...seeds][0]}: ${sum(({ strikes }) => strikes.done)} strikes.`
      : `A full run is ${partCount} parts with one seed and all strikes; these are ${verdicts.length} parts with ${seeds.size} seeds${isCutShort ? ', not with all strikes' : ''}.`,
    'Each part had a new service. `settled after s`: how long after the last fault the last submission was settled.',
    '',
    formatTable(rows),
  ].join('\n');
}
