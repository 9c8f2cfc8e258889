import { exitCodeOf } from '../exit-codes.ts';
import type { FailureDescription } from '../failure.ts';
import { type Output, stripControls } from './output.ts';
import { wrap } from './text-width.ts';

/** Prints what failed, the code and request id for a bug report, and what to do next. */
export function printFailure(output: Output, { exitCode, message, next, code, requestId }: FailureDescription): void {
  const [text = '', ...details] = message.split('\n').map(stripControls);
  const reference = stripControls([code, requestId && `request ${requestId}`].filter(Boolean).join(', '));
  const isInterrupted = exitCode === exitCodeOf('interrupted') || exitCode === exitCodeOf('terminated');
  const mark = isInterrupted ? output.paint('•', 'yellow') : output.paint('✗', 'red');
  const head = `${mark} ${text}${reference ? output.paint(` (${reference})`, 'dim') : ''}`;
  for (const line of wrap(head, output.width())) output.line(line);
  for (const line of details) output.line(line);
  for (const line of next?.split('\n') ?? []) output.line(`  ${line}`);
}
