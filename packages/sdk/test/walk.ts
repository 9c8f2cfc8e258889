import { callTests } from './calls.ts';
import type { ClientTests, Context, StoredFile } from './connection.ts';
import { errorTests } from './errors.ts';
import { retryTests } from './retries.ts';
import { signatureTests } from './signatures.ts';
import { uploadTests } from './uploads.ts';
import { waitingTests } from './waiting.ts';

export type Outcome = { name: string; millis: number; error?: string; stored: StoredFile[] };

const clientTests: ClientTests = {
  ...uploadTests,
  ...waitingTests,
  ...errorTests,
  ...retryTests,
  ...callTests,
  ...signatureTests,
};

export const clientTestNames = Object.keys(clientTests);

/**
 * Runs the client tests in the runtime that loads this file, using web standards only. Several run at once, because
 * they mostly wait.
 */
export async function runClientTests(context: Context, names = clientTestNames, atOnceMax = 12): Promise<Outcome[]> {
  const remaining = Object.entries(clientTests).filter(([name]) => names.includes(name));
  const outcomes: Outcome[] = [];
  const work = async () => {
    for (let next = remaining.shift(); next; next = remaining.shift()) {
      const [name, runTest] = next;
      const begin = Date.now();
      try {
        const stored = ((await runTest(context)) ?? []) as StoredFile[];
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
