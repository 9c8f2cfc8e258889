#!/usr/bin/env node
import { CommanderError } from 'commander';
import { exitCodeOf } from './exit-codes.ts';
import { describeFailure, Failure } from './failure.ts';
import { createOutput, formatJson, plain } from './output.ts';
import { createProgram } from './program.ts';

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
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

const environment = process.env;
const out = createOutput(process.stdout, environment);
const err = createOutput(process.stderr, environment);
try {
  await createProgram({ environment, out, err, signal: interruption.signal }).parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // It has said already what is wrong, or shown the help that was asked for.
    process.exitCode = error.exitCode === 0 ? 0 : exitCodeOf('usage');
  } else {
    const failure = describeFailure(
      interruption.signal.aborted && !(error instanceof Failure) ? interruption.signal.reason : error,
    );
    const { exitCode, message, next, code, requestId } = failure;
    const text = message.split('\n').map(plain).join('\n');
    const reference = [code, requestId && `request ${requestId}`].filter(Boolean).join(', ');
    const mark = exitCode === exitCodeOf('interrupted') ? err.paint('•', 'yellow') : err.paint('✗', 'red');
    err.line(`${mark} ${text}${reference ? err.paint(` (${reference})`, 'dim') : ''}`);
    for (const line of next?.split('\n') ?? []) err.line(`  ${line}`);
    if (process.argv.includes('--json')) out.line(formatJson({ error: failure }));
    if (environment.ASSAY_DEBUG) console.error(error);
    process.exitCode = exitCode;
  }
}
