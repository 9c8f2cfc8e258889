import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { describeMachine } from '@assay/testing/measure/machine.ts';
import { formatTable } from '@assay/testing/measure/table.ts';
import { runCommand } from '../gate/run-command.ts';
import { currentCommit, describeStatus, hasPassedOnThisCode } from './status.ts';
import { type ReportRow, readReport, readSuites, reportFile, type Suite } from './suites.ts';

/**
 * `pnpm nightly [--force] [name …]`: runs full-size suites, one after another. A name selects a group, or suites by a part
 * of their names; without names, all run. A suite that passed on this code is not repeated, so an interrupted run can
 * be continued by the same command; `--force` repeats it. `pnpm nightly status` lists what is stale or failed.
 */
const requestedNames = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const isForced = process.argv.includes('--force');

if (requestedNames[0] === 'status') {
  const lines = describeStatus();
  console.log(lines.length > 0 ? lines.join('\n') : 'Every suite passed within the last 7 days and 150 commits.');
  process.exitCode = lines.length > 0 ? 1 : 0;
} else process.exitCode = (await runSuites()) ? 0 : 1;

async function runSuites(): Promise<boolean> {
  const suites = readSuites();
  const chosen = suites.filter(
    ({ suite, group }) =>
      requestedNames.length === 0 || requestedNames.some((name) => name === group || suite.includes(name)),
  );
  if (chosen.length === 0) throw new Error(`Unknown suite. Suites: ${suites.map(({ suite }) => suite).join(', ')}.`);
  let failed = 0;
  for (const [i, suite] of chosen.entries()) {
    console.log(`\n== ${suite.suite} (${i + 1} of ${chosen.length})`);
    if (!isForced && hasPassedOnThisCode(suite.suite)) {
      console.log('passed on this code: not repeated');
      continue;
    }
    const command = suite.command.replace('SEED=random', () => `SEED=${chooseSeed(suite)}`);
    const beganAt = performance.now();
    const { passed, failures, skips, files, lastLines } = await runCommand(['bash', '-c', command]);
    const isGreen = failures.length + skips.length === 0;
    if (!isGreen) failed++;
    for (const text of [...failures.map((one) => one.text), ...skips]) console.log(text);
    writeRow({
      suite: suite.suite,
      result: isGreen ? 'passed' : 'failed',
      figure:
        files.length > 0 || !isGreen
          ? `${passed} passed, ${failures.length + skips.length} failed`
          : lastFigure(lastLines),
      minutes: ((performance.now() - beganAt) / 60_000).toFixed(1),
      commit: currentCommit(),
      date: new Date().toISOString().slice(0, 10),
      command,
    });
  }
  console.log(`\n${chosen.length - failed} passed, ${failed} failed`);
  return failed === 0;
}

/**
 * Each run gets a new seed, which the report contains, so that a failure can be repeated. The parts of a suite get the
 * seed of a part that has passed on this code: together they are one run.
 */
function chooseSeed({ suite }: Suite): number {
  const [whole, part] = suite.split(', part ');
  const other = readReport().find((row) => row.suite.startsWith(`${whole}, part `) && hasPassedOnThisCode(row.suite));
  const [, seed] = (part && /SEED=(\d+)/.exec(other?.command ?? '')) || [];
  return seed ? Number(seed) : randomInt(1, 2 ** 30);
}

/** Writes the report after each suite, so that an interrupted run keeps its results. */
function writeRow(row: ReportRow): void {
  const known = new Map([...readReport(), row].map((one) => [one.suite, one]));
  const rows = readSuites().flatMap(({ suite }) => known.get(suite) ?? []);
  const quoted = rows.map((one) => ({ ...one, command: `\`${one.command}\`` }));
  const page = `# Full-size suites

The last result of each suite, written by \`.ci/nightly\` on ${describeMachine()}. \`pnpm nightly status\` lists what is stale or
failed.

${formatTable(quoted)}
`;
  writeFileSync(reportFile, page);
}

/** Returns the last line that a command printed. */
function lastFigure(lines: string[]): string {
  const last = lines.findLast((line) => line.trim() !== '') ?? '';
  return last.trim().replaceAll('|', '/').slice(0, 120);
}
