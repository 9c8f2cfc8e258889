import { formatTable } from '@assay/testing/measure/table.ts';
import type { GroupResult } from './run-group.ts';

const costliestFilesShown = 15;

export function isGreen(results: GroupResult[], areSkipsAllowed: boolean): boolean {
  return results.every(({ failures, skips }) => failures.length === 0 && (areSkipsAllowed || skips.length === 0));
}

/** The summary of a run: cost, carried-over groups, skipped and failed tests. Its last line has a documented format. */
export function formatSummary(results: GroupResult[], carried: string[], areSkipsAllowed: boolean): string {
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failures = results.flatMap((result) => result.failures).map(({ text }) => text);
  const skips = results.flatMap((result) => result.skips);
  const missing = results.flatMap(({ missingCorpora }) => missingCorpora);
  const blocks: [title: string, lines: string[]][] = [
    ['Cost', formatCost(results)],
    ['Carried over, because nothing that they read has changed since a green run', carried],
    ['Not run because a corpus is missing', missing],
    [areSkipsAllowed ? 'Skipped' : 'Skipped: each counts as failed (ASSAY_ALLOW_SKIPS=1 allows skips)', skips],
    ['Failed once, passed in a second run: find out why', results.flatMap(unstableOf)],
    ['Failed', failures],
  ];
  const failed = failures.length + (areSkipsAllowed ? 0 : skips.length);
  const skipped = skips.length + missing.length;
  return [
    ...blocks.filter(([, lines]) => lines.length > 0).map(([title, lines]) => `\n== ${title}\n${lines.join('\n')}`),
    `\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
  ].join('\n');
}

function unstableOf({ unstable }: GroupResult): string[] {
  return unstable.map(({ text }) => text);
}

function formatCost(results: GroupResult[]): string[] {
  const files = results.flatMap((result) => result.files).toSorted((a, b) => b.cpuSeconds - a.cpuSeconds);
  const groupRows = results.map(({ name, wallSeconds, cpuSeconds, slowness, cpuSecondsMax, passed }) => ({
    group: name,
    minutes: (wallSeconds / 60).toFixed(1),
    'CPU s': cpuSeconds.toFixed(0),
    'CPU s allowed': `${cpuSecondsMax}`,
    slowness: slowness.toFixed(2),
    passed: `${passed}`,
  }));
  const fileRows = files.slice(0, costliestFilesShown).map((file) => ({
    'test file': file.file,
    'CPU s': file.cpuSeconds.toFixed(1),
  }));
  return [groupRows, fileRows].filter((rows) => rows.length > 0).map(formatTable);
}
