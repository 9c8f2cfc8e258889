#!/usr/bin/env node
import { CommanderError } from 'commander';
import { exitCodeOf } from './exit-codes.ts';
import { DescribedFailure, describeFailure, Failure, type FailureDescription } from './failure.ts';
import { createOutput } from './output/output.ts';
import { printFailure } from './output/print-failure.ts';
import { createProgram } from './program.ts';

const interruption = new AbortController();
// A cancelled pipeline ends its programs with SIGTERM.
for (const [signal, outcome, message] of [
  ['SIGINT', 'interrupted', 'Interrupted.'],
  ['SIGTERM', 'terminated', 'Terminated.'],
] as const) {
  process.on(signal, () => {
    if (interruption.signal.aborted) process.exit(exitCodeOf(outcome)); // the second time: exit immediately
    interruption.abort(new Failure(outcome, message));
  });
}
// The reader of a pipe may close it early, as `head` does.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    throw error;
  });
}

const environment = process.env;
const out = createOutput(process.stdout, environment);
const err = createOutput(process.stderr, environment);
// One line, because `listen --json` prints one document per line.
const printJsonError = (error: FailureDescription) => {
  if (process.argv.includes('--json')) out.line(JSON.stringify({ error }));
};
try {
  await createProgram({ environment, out, err, signal: interruption.signal }).parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has already printed the error or the help.
    process.exitCode = error.exitCode === 0 ? 0 : exitCodeOf('usage');
    if (process.exitCode) printJsonError({ exitCode: process.exitCode, message: error.message, next: undefined });
  } else {
    const failure = describeFailure(
      interruption.signal.aborted && !(error instanceof Failure || error instanceof DescribedFailure)
        ? interruption.signal.reason
        : error,
    );
    printFailure(err, failure);
    printJsonError(failure);
    if (environment.ASSAY_DEBUG) console.error(error);
    process.exitCode = failure.exitCode;
  }
}
