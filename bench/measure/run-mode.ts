import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { storages } from '@assay/stack/instance.ts';
import { isReached, type Ratio } from './ratio.ts';

/** `marginShare`: by how much the requirements are lowered, because a few short rounds of cold code measure less precisely. */
type Margin = { marginShare: number };

/** Full or short run, and whether the report is to be written to a file. */
export function readMode<Mode extends Margin>(args: string[], modes: { full: Mode; quick: Mode }) {
  const { values } = parseArgs({ args, options: modeOptions });
  return modeOf(values, modes);
}

/** The same for a bench that measures one of the object stores. */
export function readModeAndStorage<Mode extends Margin>(args: string[], modes: { full: Mode; quick: Mode }) {
  const { values } = parseArgs({ args, options: { ...modeOptions, storage: { type: 'string', default: 'azure' } } });
  const storage = storages.find((name) => name === values.storage);
  if (!storage) throw new Error(`--storage must be one of ${storages.join(', ')}`);
  return { ...modeOf(values, modes), storage };
}

const modeOptions = { quick: { type: 'boolean' }, write: { type: 'boolean' } } as const;

function modeOf<Mode>({ quick, write }: { quick?: boolean; write?: boolean }, modes: { full: Mode; quick: Mode }) {
  return { mode: quick ? modes.quick : modes.full, isWritten: write ?? false };
}

/** An interrupted bench still stops what it started. */
export function abortOnSignal(): AbortSignal {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
  return interrupted.signal;
}

/** Prints the report, writes it to this file if requested, and returns whether every requirement was reached. */
export function conclude(
  text: string,
  ratios: Ratio[],
  { mode, isWritten, file }: { mode: Margin; isWritten: boolean; file: string },
): boolean {
  console.log(text);
  if (mode.marginShare > 0)
    console.log(
      `\nShort run: requirements are ${mode.marginShare * 100} % lower than in a full run, because a few short rounds vary more, especially on a busy machine.`,
    );
  keep(text, isWritten, file);
  return ratios.every(isReached);
}

export function keep(text: string, isWritten: boolean, file: string): void {
  if (isWritten) writeFileSync(join(import.meta.dirname, '..', file), `${text}\n`);
}
