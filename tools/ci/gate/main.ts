import { describeStatus } from '../nightly/status.ts';
import { groups } from './groups.ts';
import { findKept, isFirstRun, keepResult, keyOf, readFiles, readSurroundings, recordUnstableTests } from './kept.ts';
import { runCommand } from './run-command.ts';
import { type GroupResult, runGroup } from './run-group.ts';
import { formatSummary, isGreen } from './summary.ts';

/**
 * The gate; it needs what `./setup` installs. The result of a group whose inputs have not changed since a green run is
 * carried over. `--force` runs every group again; names select groups.
 */
const groupNames = process.argv.slice(2).filter((argument) => argument !== '--force');
const isForced = process.argv.includes('--force');
const areSkipsAllowed = process.env.ASSAY_ALLOW_SKIPS === '1';
const chosenGroups = groups.filter(({ name }) => groupNames.length === 0 || groupNames.includes(name));
if (chosenGroups.length === 0) throw new Error(`Unknown group. Groups: ${groups.map(({ name }) => name).join(', ')}.`);

const beganAt = performance.now();
const surroundings = readSurroundings();
const isFirst = isFirstRun();
const results: GroupResult[] = [];
const carriedOver: string[] = [];
for (const group of chosenGroups) {
  const key = keyOf(group, readFiles(), surroundings);
  const kept = isForced ? undefined : findKept(group, key);
  if (kept) {
    carriedOver.push(`${group.name}: ${kept.passed} passed on ${kept.date}, commit ${kept.commit}`);
    continue;
  }
  console.log(`\n== ${group.name} (at ${Math.round((performance.now() - beganAt) / 1000)} s)`);
  const result = await runGroup(group, isFirst);
  results.push(result);
  const isClean = isGreen([result], false) && result.unstable.length === 0;
  // A result is not kept if an input was edited during the run.
  if (isClean && keyOf(group, readFiles(), surroundings) === key) keepResult(group, key, result.passed);
}
for (const instance of ['test', 'faults', 'chaos'])
  await runCommand(['pnpm', 'stack', 'reset', '--instance', instance]);

recordUnstableTests(results.flatMap(({ unstable }) => unstable.map(({ text }) => text)));
const staleSuites = describeStatus();
if (staleSuites.length > 0) console.log(`\n== Nightly suites that are stale or failed\n${staleSuites.join('\n')}`);
console.log(formatSummary(results, carriedOver, areSkipsAllowed));
process.exitCode = isGreen(results, areSkipsAllowed) ? 0 : 1;
