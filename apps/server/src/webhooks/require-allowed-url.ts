import { Refusal } from '@assay/contract/refusals.ts';
import type { Outbound } from './outbound.ts';
import { BlockedHost, UnknownHost } from './vet-host.ts';

/** 422 for a URL that webhooks are not sent to, or whose name nobody knows. */
export async function requireAllowedUrl(url: string, outbound: Outbound): Promise<void> {
  try {
    await outbound.vet(url);
  } catch (error) {
    const isKnown = error instanceof BlockedHost || error instanceof UnknownHost;
    if (!isKnown) throw error;
    // Which address it was stays with us: an answer would tell what lies in the inner network.
    const detail =
      error instanceof UnknownHost
        ? 'The host name cannot be resolved.'
        : 'Not https, with user info or a fragment, or at an address that webhooks are not sent to.';
    throw new Refusal('url_not_allowed', {
      errors: [{ pointer: '/url', code: 'url_not_allowed', detail }],
      cause: error,
    });
  }
}
