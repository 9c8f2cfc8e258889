import type { Log } from '../log.ts';
import type { Blobs } from './blobs.ts';

/** Logs each configured store and where its credentials come from. The service starts without waiting for this. */
export async function logStores({ stores }: Blobs, log: Log): Promise<void> {
  for (const { home, endpoint: url, describeCredentials } of stores) {
    const { store, container } = home;
    const { origin, pathname } = new URL(url); // a URL may contain a password
    const endpoint = `${origin}${pathname}`;
    try {
      log.info({ store, endpoint, container, credentials: await describeCredentials() }, 'object store');
    } catch (error) {
      // Only the message is logged, because the libraries' errors contain responses of credential services.
      const reason = (error as Error).message;
      log.error({ store, endpoint, container, reason }, 'object store: no credentials were found');
    }
  }
}
