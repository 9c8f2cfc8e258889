#!/usr/bin/env node
import { CommanderError } from 'commander';
import { exitCodeOf } from './exit-codes.ts';
import { type Described, describeFailure, Failure } from './failure.ts';
import { createOutput } from './output.ts';
import { createProgram } from './program.ts';
import { tellFailure } from './tell-failure.ts';

// Files are read by openAsBlob, which Node calls experimental on every use.
process.removeAllListeners('warning');
process.on('warning', (warning) => {
  if (warning.name !== 'ExperimentalWarning') console.error(warning.message);
});

const interruption = new AbortController();
process.on('SIGINT', () => {
  if (interruption.signal.aborted) process.exit(exitCodeOf('interrupted')); // asked twice: at once
  interruption.abort(new Failure('interrupted', 'Interrupted.'));
});
// Whoever reads us may have read enough, as `head` does.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    throw error;
  });
}

const environment = process.env;
const out = createOutput(process.stdout, environment);
const err = createOutput(process.stderr, environment);
// On one line, as `listen` has told one event a line before.
const tellProgram = (error: Described) => {
  if (process.argv.includes('--json')) out.line(JSON.stringify({ error }));
};
try {
  await createProgram({ environment, out, err, signal: interruption.signal }).parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // It has said already what is wrong, or shown the help that was asked for.
    process.exitCode = error.exitCode === 0 ? 0 : exitCodeOf('usage');
    if (process.exitCode) tellProgram({ exitCode: process.exitCode, message: error.message, next: undefined });
  } else {
    const failure = describeFailure(
      interruption.signal.aborted && !(error instanceof Failure) ? interruption.signal.reason : error,
    );
    tellFailure(err, failure);
    tellProgram(failure);
    if (environment.ASSAY_DEBUG) console.error(error);
    process.exitCode = failure.exitCode;
  }
}
