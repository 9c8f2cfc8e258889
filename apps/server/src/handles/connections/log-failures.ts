import type { Log } from '../log.ts';
import { explainFailure } from './explain-failure.ts';

type Check = { check: () => Promise<unknown> } | 'off';

/** Logs why a health check fails: once, and again when the reason changes. Callers of /readyz are not told why. */
export function logFailures<Checks extends Record<string, Check>>(checks: Checks, log: Log): Checks {
  const entries = Object.entries(checks).map(([part, one]) =>
    one === 'off' ? [part, one] : [part, { ...one, check: logged(part, one.check, log) }],
  );
  return Object.fromEntries(entries);
}

function logged(part: string, check: () => Promise<unknown>, log: Log): () => Promise<void> {
  let lastReason: string | undefined;
  return async () => {
    try {
      await check();
    } catch (error) {
      const reason = explainFailure(error);
      if (withoutNumbers(reason) !== lastReason) log.warn({ err: error, part, reason }, 'health check failed');
      lastReason = withoutNumbers(reason);
      throw error;
    }
    if (lastReason !== undefined) log.info({ part }, 'health check passes again');
    lastReason = undefined;
  };
}

/** A reason with another duration or port is the same reason. */
const withoutNumbers = (reason: string) => reason.replace(/\d+/g, '');
