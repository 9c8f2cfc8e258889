import type { Log } from '../log.ts';
import { explainFailure } from './explain-failure.ts';

type Check = { check: () => Promise<unknown> } | string;

/** Logs why a health check fails, each reason once per outage. Callers of /readyz are not told the reason. */
export function logFailures<Checks extends Record<string, Check>>(checks: Checks, log: Log): Checks {
  const entries = Object.entries(checks).map(([part, one]) =>
    typeof one === 'string' ? [part, one] : [part, { ...one, check: withFailureLogging(part, one.check, log) }],
  );
  return Object.fromEntries(entries);
}

function withFailureLogging(part: string, check: () => Promise<unknown>, log: Log): () => Promise<void> {
  const outage = createOutage();
  return async () => {
    try {
      await check();
    } catch (error) {
      const reason = outage.findNewReason(error);
      if (reason) log.warn({ err: error, part, reason }, 'health check failed');
      throw error;
    }
    if (outage.end()) log.info({ part }, 'health check passes again');
  };
}

/** Remembers the reasons for failures during an outage, so that each is logged only once. */
export function createOutage() {
  const reasons = new Set<string>();
  return {
    /** The reason for the failure; undefined if it was returned before in this outage. */
    findNewReason(error: unknown): string | undefined {
      const reason = explainFailure(error);
      const kind = reason.replace(/\d+/g, ''); // reasons that differ only in a duration or port count as the same
      if (reasons.has(kind)) return undefined;
      reasons.add(kind);
      return reason;
    },
    /** Ends the outage; returns whether there was one. */
    end(): boolean {
      const wasDown = reasons.size > 0;
      reasons.clear();
      return wasDown;
    },
  };
}
