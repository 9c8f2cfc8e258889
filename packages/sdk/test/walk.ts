import { callPromises } from './calls.ts';
import type { Context, Promises, Stored } from './connection.ts';
import { errorPromises } from './errors.ts';
import { retryPromises } from './retries.ts';
import { signaturePromises } from './signatures.ts';
import { uploadPromises } from './uploads.ts';
import { waitingPromises } from './waiting.ts';

export type Outcome = { name: string; millis: number; error?: string; stored: Stored[] };

const promises: Promises = {
  ...uploadPromises,
  ...waitingPromises,
  ...errorPromises,
  ...retryPromises,
  ...callPromises,
  ...signaturePromises,
};

export const promiseNames = Object.keys(promises);

/**
 * Tests promises of the client in the runtime that loads this file, with nothing but web standards. Several run at once,
 * because most of their time is waiting.
 */
export async function walk(context: Context, names = promiseNames, atOnceMax = 12): Promise<Outcome[]> {
  const waiting = Object.entries(promises).filter(([name]) => names.includes(name));
  const outcomes: Outcome[] = [];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, keep] = next;
      const begin = Date.now();
      try {
        const stored = ((await keep(context)) ?? []) as Stored[];
        outcomes.push({ name, millis: Date.now() - begin, stored });
      } catch (error) {
        const text = `${error}\n${(error as Error)?.stack ?? ''}`;
        outcomes.push({ name, millis: Date.now() - begin, error: text, stored: [] });
      }
    }
  };
  await Promise.all(Array.from({ length: atOnceMax }, work));
  return outcomes;
}
