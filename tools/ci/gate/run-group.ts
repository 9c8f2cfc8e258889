import { cpus } from 'node:os';
import { fileCpuSecondsMax, filesAboveMax, type Group } from './groups.ts';
import { createOutcome, type Failure, type Outcome } from './reporter.ts';
import { runCommand } from './run-command.ts';
import { watchSlowness } from './slowness.ts';

export type GroupResult = Outcome & {
  name: string;
  wallSeconds: number;
  /** The measured CPU time divided by `slowness`, as is that of the files. */
  cpuSeconds: number;
  slowness: number;
  cpuSecondsMax: number;
  /** Failures of the first run that did not occur in the second: the result is green, but not kept. */
  unstable: Failure[];
};

/** If more files than this failed, the code is at fault and not the machine, so there is no second run. */
const secondRunFilesMax = 4;

/**
 * Runs the commands of a group, then the failed files a second time. A group or file over its budget fails too, unless
 * `isFirstRun`: the first run on a machine also makes the sample media, which later runs find in the cache.
 */
export async function runGroup(group: Group, isFirstRun = false): Promise<GroupResult> {
  const [beganAt, cpuBefore, watch] = [performance.now(), cpuSecondsOfMachine(), watchSlowness()];
  const commands = Object.entries(group.commands);
  const firstRuns = await Promise.all(
    commands.map(([name, command]) => runCommand(command, commands.length > 1 ? `[${name}] ` : '')),
  );
  const slowness = watch.stop();
  const cpuSeconds = (cpuSecondsOfMachine() - cpuBefore) / slowness;
  const { name, cpuSecondsMax } = group;
  const cost = { wallSeconds: 0, cpuSeconds, slowness, cpuSecondsMax };
  const result: GroupResult = { ...createOutcome(), ...cost, name, unstable: [] };
  for (const [i, first] of firstRuns.entries()) {
    const isStable = name === 'unit' || !(await passesAgain(commands[i]?.[1] ?? [], first));
    result.passed += first.passed + (isStable ? 0 : first.failures.length);
    result[isStable ? 'failures' : 'unstable'].push(...first.failures);
    result.skips.push(...first.skips);
    result.missingCorpora.push(...first.missingCorpora);
    result.files.push(...first.files.map((one) => ({ ...one, cpuSeconds: one.cpuSeconds / slowness })));
  }
  const overspent = findBudgetFailures(group, cpuSeconds, result.files);
  if (isFirstRun) for (const { text } of overspent) console.log(`First run on this machine, not counted: ${text}`);
  else result.failures.push(...overspent);
  result.wallSeconds = (performance.now() - beganAt) / 1000;
  return result;
}

/**
 * Runs the failed files a second time, alone: a shared machine can pause for seconds, so a test of a timeout can fail
 * although the code is correct.
 */
async function passesAgain(command: string[], { failures }: Outcome): Promise<boolean> {
  const files = [...new Set(failures.map(({ file }) => file))];
  if (failures.length === 0 || files.length > secondRunFilesMax || files.includes(undefined)) return false;
  console.log('\n== second run of what failed');
  const second = await runCommand([...command, ...(files as string[])]);
  return second.failures.length + second.skips.length === 0;
}

function findBudgetFailures({ name, cpuSecondsMax }: Group, cpuSeconds: number, files: Outcome['files']): Failure[] {
  const advice =
    'Make it cheaper, or raise the budget in tools/ci/gate/groups.ts in a commit of its own that says why.';
  const costs = [
    { what: `The group ${name}`, cpuSeconds, max: cpuSecondsMax },
    ...files.map((cost) => ({ ...cost, what: cost.file, max: filesAboveMax[cost.file] ?? fileCpuSecondsMax })),
  ];
  return costs
    .filter((cost) => cost.cpuSeconds > cost.max)
    .map((cost) => ({ text: `${cost.what} used ${cost.cpuSeconds.toFixed(0)} CPU seconds of ${cost.max}. ${advice}` }));
}

function cpuSecondsOfMachine(): number {
  return cpus().reduce((sum, { times }) => sum + (times.user + times.nice + times.sys + times.irq) / 1000, 0);
}
