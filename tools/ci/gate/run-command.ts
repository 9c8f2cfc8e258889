import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createOutcome, type Outcome } from './reporter.ts';

/** The command that runs the given test files or, with `--project`, a group of them. */
export const vitest = (...args: string[]) => ['pnpm', 'exec', 'vitest', 'run', ...args];

/** How many lines of output the summary repeats if a command fails without naming a failed test. */
const lastLinesMax = 60;

/** Runs a command and shows its output. A command without tests counts as one test, which passes if it exits with 0. */
export async function runCommand(
  command: string[],
  prefix = '',
  environment: Record<string, string> = {},
): Promise<Outcome & { lastLines: string[] }> {
  const scratch = mkdtempSync(join(tmpdir(), 'assay-gate-'));
  const outcomeFile = join(scratch, 'outcome');
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment, ASSAY_TEST_OUTCOME: outcomeFile },
  });
  const lastLines: string[] = [];
  for (const input of [child.stdout, child.stderr])
    createInterface({ input }).on('line', (line) => {
      console.log(prefix + line);
      if (lastLines.push(line) > lastLinesMax) lastLines.shift();
    });
  const [exitCode] = (await once(child, 'close')) as [number | null];
  const outcome = readOutcome(outcomeFile) ?? createOutcome();
  rmSync(scratch, { recursive: true });
  const isTestRun = outcome.files.length > 0 || command.join(' ').includes('vitest');
  if (!isTestRun && exitCode === 0) outcome.passed = 1;
  // A test run that wrote no outcome, ran no test, or exited with an error without a failed test has failed as a whole.
  if (outcome.failures.length === 0 && (exitCode !== 0 || outcome.passed === 0))
    outcome.failures.push({ text: [command.join(' '), `exit code ${exitCode}`, ...lastLines].join('\n    ') });
  return { ...outcome, lastLines };
}

function readOutcome(file: string): Outcome | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
