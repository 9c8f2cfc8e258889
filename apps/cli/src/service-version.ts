import type { Session } from './session.ts';

const responseTimeoutMs = 5_000;

/** The service’s version, for reports. Null if it cannot be read: a gateway may not expose the health check. */
export async function readServiceVersion({ settings, signal }: Session): Promise<string | null> {
  try {
    const response = await fetch(`${settings.baseUrl}/readyz`, {
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(responseTimeoutMs)]),
    });
    // The response contains the version even if the service is not ready (503).
    const { version } = (await response.json()) as { version?: unknown };
    return typeof version === 'string' ? version : null;
  } catch {
    signal.throwIfAborted();
    return null; // a report without the version is better than no report
  }
}
