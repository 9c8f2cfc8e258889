import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isReached, type Ratio } from './ratio.ts';

/** `marginShare`: how much less is required, as few short rounds of half-warm code tell a ratio less exactly. */
type Margin = { marginShare: number };

/** Which edition of a bench was asked for, and whether its outcome is to be kept. */
export function readEdition<Mode extends Margin>(args: string[], editions: { full: Mode; quick: Mode }) {
  const { values } = parseArgs({ args, options: { quick: { type: 'boolean' }, write: { type: 'boolean' } } });
  return { mode: values.quick ? editions.quick : editions.full, isWritten: values.write ?? false };
}

/** Asked to stop, a bench still stops what it started. */
export function abortOnSignal(): AbortSignal {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
  return interrupted.signal;
}

/** Prints, keeps in this file if asked to, and says whether all was reached. */
export function conclude(
  text: string,
  ratios: Ratio[],
  { mode, isWritten, file }: { mode: Margin; isWritten: boolean; file: string },
): boolean {
  console.log(text);
  if (mode.marginShare > 0)
    console.log(
      `\nRequired here is ${mode.marginShare * 100} % less than in full: few short rounds scatter, the more so on a machine that does other things.`,
    );
  keep(text, isWritten, file);
  return ratios.every(isReached);
}

export function keep(text: string, isWritten: boolean, file: string): void {
  if (isWritten) writeFileSync(join(import.meta.dirname, file), `${text}\n`);
}
