import { describeStatus } from '../nightly/status.ts';
import { groups } from './groups.ts';
import { findKept, isFirstRun, keep, keyOf, noteUnstable, readFiles, readSurroundings } from './kept.ts';
import { runCommand } from './run-command.ts';
import { type GroupResult, runGroup } from './run-group.ts';
import { formatSummary, isGreen } from './summary.ts';

/**
 * The gate; it needs what `./setup` installs. The result of a group whose inputs have not changed since a green run is
 * carried over. `--force` runs every group again; names select groups.
 */
const names = process.argv.slice(2).filter((argument) => argument !== '--force');
const isForced = process.argv.includes('--force');
const areSkipsAllowed = process.env.ASSAY_ALLOW_SKIPS === '1';
const chosen = groups.filter(({ name }) => names.length === 0 || names.includes(name));
if (chosen.length === 0) throw new Error(`Unknown group. Groups: ${groups.map(({ name }) => name).join(', ')}.`);

const beganAt = performance.now();
const surroundings = readSurroundings();
const isFirst = isFirstRun();
const results: GroupResult[] = [];
const carried: string[] = [];
for (const group of chosen) {
  const key = keyOf(group, readFiles(), surroundings);
  const kept = isForced ? undefined : findKept(group, key);
  if (kept) {
    carried.push(`${group.name}: ${kept.passed} passed on ${kept.date}, commit ${kept.commit}`);
    continue;
  }
  console.log(`\n== ${group.name} (at ${Math.round((performance.now() - beganAt) / 1000)} s)`);
  const result = await runGroup(group, isFirst);
  results.push(result);
  const isClean = isGreen([result], false) && result.unstable.length === 0;
  // A result is not kept if an input was edited during the run.
  if (isClean && keyOf(group, readFiles(), surroundings) === key) keep(group, key, result.passed);
}
for (const instance of ['test', 'faults', 'chaos'])
  await runCommand(['pnpm', 'stack', 'reset', '--instance', instance]);

noteUnstable(results.flatMap(({ unstable }) => unstable.map(({ text }) => text)));
const stale = describeStatus();
if (stale.length > 0) console.log(`\n== Nightly suites that are stale or failed\n${stale.join('\n')}`);
console.log(formatSummary(results, carried, areSkipsAllowed));
process.exitCode = isGreen(results, areSkipsAllowed) ? 0 : 1;
