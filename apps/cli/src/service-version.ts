import type { Session } from './session.ts';

const responseMsMax = 5_000;

/** The version that reports show. Null if it is unknown: a gateway may not pass on the health check. */
export async function readServiceVersion({ settings, signal }: Session): Promise<string | null> {
  try {
    const response = await fetch(`${settings.baseUrl}/readyz`, {
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(responseMsMax)]),
    });
    // A service that is not ready (503) states its version too.
    const { version } = (await response.json()) as { version?: unknown };
    return typeof version === 'string' ? version : null;
  } catch {
    signal.throwIfAborted();
    return null; // a report without the version is better than none
  }
}
