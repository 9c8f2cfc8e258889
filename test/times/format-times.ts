import { availableParallelism } from 'node:os';
import { describeMachine } from '../../bench/machine.ts';
import { formatTable } from '../../bench/table.ts';
import type { StepResult, StepTime } from '../gate/step.ts';
import type { FileTime } from './file-time.ts';

const filesShown = 25;

/** Two tables: the steps of the gate, and its slowest test files. */
export function formatTimes(results: StepResult[]): string {
  const files = results.flatMap(({ fileTimes }) => fileTimes).sort((a, b) => b.wallSeconds - a.wallSeconds);
  return [
    `Measured on ${new Date().toISOString().slice(0, 10)}, ${describeMachine()}.`,
    formatTable(results.map(({ time }) => stepRow(time))),
    `The ${filesShown} slowest of ${files.length} test files:`,
    formatTable(files.slice(0, filesShown).map(fileRow)),
  ].join('\n\n');
}

function stepRow({ name, wallSeconds, cpuSeconds, machineCpuSeconds }: StepTime): Record<string, string> {
  const idle = wallSeconds * availableParallelism() - machineCpuSeconds;
  return {
    step: name,
    'wall s': wallSeconds.toFixed(0),
    'own CPU s': cpuSeconds.toFixed(0),
    'other CPU s': Math.max(0, machineCpuSeconds - cpuSeconds).toFixed(0),
    'cores idle': `${Math.max(0, (100 * idle) / (wallSeconds * availableParallelism())).toFixed(0)} %`,
  };
}

function fileRow({ file, wallSeconds, ownCpuSeconds, childCpuSeconds, sleepSeconds }: FileTime) {
  const waits: [what: string, seconds: number][] = [
    ['its own CPU', ownCpuSeconds],
    ['CPU of child processes', childCpuSeconds],
    ['sleep', sleepSeconds],
    ['the parts', wallSeconds - ownCpuSeconds - childCpuSeconds - sleepSeconds],
  ];
  return {
    'test file': file,
    'wall s': wallSeconds.toFixed(0),
    'own CPU s': ownCpuSeconds.toFixed(0),
    'CPU s of child processes': childCpuSeconds.toFixed(0),
    'sleep s': sleepSeconds.toFixed(0),
    'waits mostly for': waits.toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? '',
  };
}
