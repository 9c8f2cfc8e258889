import { Refusal } from '@assay/contract/refusals.ts';
import type { Outbound } from './outbound.ts';
import { BlockedHost, UnknownHost } from './vet-host.ts';

/** 422 for a URL that webhooks are not sent to, or whose host name cannot be resolved. */
export async function requireAllowedUrl(url: string, outbound: Outbound): Promise<void> {
  try {
    await outbound.vet(url);
  } catch (error) {
    const isKnown = error instanceof BlockedHost || error instanceof UnknownHost;
    if (!isKnown) throw error;
    // The detail does not contain the address, which would reveal something about the internal network.
    const detail =
      error instanceof UnknownHost
        ? 'The host name of url cannot be resolved.'
        : 'url must be https, without credentials or a fragment, and must resolve to allowed addresses only.';
    throw new Refusal('url_not_allowed', {
      errors: [{ pointer: '/url', code: 'url_not_allowed', detail }],
      cause: error,
    });
  }
}
