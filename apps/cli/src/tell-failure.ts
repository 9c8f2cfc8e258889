import { exitCodeOf } from './exit-codes.ts';
import type { Described } from './failure.ts';
import { type Output, plain } from './output.ts';

/** What went wrong, how to refer to it, and what to do next. */
export function tellFailure(output: Output, { exitCode, message, next, code, requestId }: Described): void {
  const text = message.split('\n').map(plain).join('\n');
  const reference = plain([code, requestId && `request ${requestId}`].filter(Boolean).join(', '));
  const mark = exitCode === exitCodeOf('interrupted') ? output.paint('•', 'yellow') : output.paint('✗', 'red');
  output.line(`${mark} ${text}${reference ? output.paint(` (${reference})`, 'dim') : ''}`);
  for (const line of next?.split('\n') ?? []) output.line(`  ${line}`);
}
