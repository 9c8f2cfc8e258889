import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isReached, type Ratio } from './ratio.ts';

/** An interrupted bench still stops what it started. */
export function abortOnSignal(): AbortSignal {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
  return interrupted.signal;
}

/** Prints the report, writes it to this file with `--write`, and returns whether every requirement was reached. */
export function conclude(text: string, ratios: Ratio[], args: string[], file: string): boolean {
  publish(text, args, file);
  return ratios.every(isReached);
}

/** Prints the report, and writes it to this file with `--write`. */
export function publish(text: string, args: string[], file: string): void {
  console.log(text);
  if (args.includes('--write')) writeFileSync(join(import.meta.dirname, '..', file), `${text}\n`);
}
