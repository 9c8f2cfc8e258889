import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { cpuMicrosOfMachine } from '../../bench/cpu-clock.ts';
import type { FileTime } from '../times/file-time.ts';
import { createOutcome, type Outcome } from './outcome.ts';

export type Step = {
  name: string;
  command: string[];
  environment?: Record<string, string>;
  /** Whether it runs vitest, whose tests are counted individually. */
  hasTests?: boolean;
  /** Whether what failed runs a second time, alone. */
  hasSecondRun?: boolean;
};

/** A command that runs the tests of some files, or of a tier with `--project`. */
export const vitest = (...args: string[]) => ['pnpm', 'exec', 'vitest', 'run', ...args];

/** The duration of a step. `machineCpuSeconds` counts everything that ran meanwhile, including the parts of the stack. */
export type StepTime = { name: string; wallSeconds: number; cpuSeconds: number; machineCpuSeconds: number };

export type StepResult = { time: StepTime; fileTimes: FileTime[]; outcome: Outcome };

// bash's `time`, because Node does not report the CPU time of a child process.
const timed = 'TIMEFORMAT="%U %S"; { time "$@" 2>&3; } 3>&2 2>"$0"';

/** Repeated in the summary if a step without tests fails, because its output is far above by then. */
const lastLinesMax = 60;

/** Runs a step and shows its output; if other steps run concurrently, each line starts with its name. */
export async function runStep(step: Step, isAlone: boolean): Promise<StepResult> {
  const scratch = mkdtempSync(join(tmpdir(), 'assay-gate-'));
  const [cpuFile, outcomeFile, timesFile] = ['cpu', 'outcome', 'times'].map((name) => join(scratch, name)) as [
    string,
    string,
    string,
  ];
  const beganAt = performance.now();
  const machineBefore = cpuMicrosOfMachine();
  const child = spawn('bash', ['-c', timed, cpuFile, ...step.command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...step.environment, ASSAY_TEST_OUTCOME: outcomeFile, ASSAY_TEST_TIMES: timesFile },
  });
  const lastLines: string[] = [];
  for (const input of [child.stdout, child.stderr])
    createInterface({ input }).on('line', (line) => {
      console.log(isAlone ? line : `[${step.name}] ${line}`);
      if (lastLines.push(line) > lastLinesMax) lastLines.shift();
    });
  const [exitCode] = (await once(child, 'close')) as [number | null];
  const wallSeconds = (performance.now() - beganAt) / 1000;
  try {
    return {
      time: {
        name: step.name,
        wallSeconds,
        cpuSeconds: sumOf(readOr(cpuFile, '0').trim().split(' ').map(Number)),
        machineCpuSeconds: (cpuMicrosOfMachine() - machineBefore) / 1e6,
      },
      fileTimes: readOr(timesFile, '')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as FileTime),
      outcome: step.hasTests
        ? readOutcome(outcomeFile, step.name, exitCode)
        : outcomeOf(step.name, exitCode, lastLines),
    };
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function outcomeOf(name: string, exitCode: number | null, lastLines: string[]): Outcome {
  if (exitCode === 0) return { ...createOutcome(), passed: 1 };
  return { ...createOutcome(), failures: [[name, `exit code ${exitCode}`, ...lastLines].join('\n    ')] };
}

/** A run that wrote no outcome, ran no test, or exited with an error without a failed test has failed as a whole. */
function readOutcome(file: string, name: string, exitCode: number | null): Outcome {
  const text = readOr(file, '');
  const outcome: Outcome = text ? JSON.parse(text) : createOutcome();
  if (outcome.failures.length > 0 || (exitCode === 0 && outcome.passed > 0)) return outcome;
  return { ...outcome, failures: [`${name}\n    exit code ${exitCode}, ${outcome.passed} tests passed, none failed`] };
}

function readOr(file: string, otherwise: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return otherwise;
  }
}

function sumOf(numbers: number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
