import { addressOf, createCall } from './call.ts';
import { applyMessage, isFinished, trackOutage } from './follow.ts';
import { sleep } from './retry.ts';
import { type Cursor, readMessages } from './stream.ts';
import type { Submission, Ticket } from './wire.generated.ts';

export type TicketOptions = {
  /** Address of Assay, without a path. */
  baseUrl: string;
  /**
   * Gets a ticket from your server, made with `assay.submissions.createTicket`. Called for each connection; if it fails,
   * it is called again within the same two minutes.
   */
  getTicket: () => Promise<Pick<Ticket, 'ticket' | 'channel'>>;
  signal?: AbortSignal | undefined;
  fetch?: typeof fetch | undefined;
};

const reconnectDelayMs = 2000;

/**
 * Every state of a submission until it finishes, for a page without an API key. Reconnects for two minutes after a lost
 * connection. A page cannot tell a forbidden origin from a lost connection: see `CORS_ORIGINS`.
 */
export async function* followByTicket({
  baseUrl,
  getTicket,
  signal,
  ...options
}: TicketOptions): AsyncGenerator<Submission, void> {
  const send: typeof fetch = options.fetch ?? ((url, request) => fetch(url, request));
  const address = addressOf(baseUrl);
  const call = createCall({ apiKey: '', baseUrl: address, timeoutMs: 60_000, maxRetries: 0, headers: {}, fetch: send });
  const cursor: Cursor = {};
  const outage = trackOutage();
  for (let submission: Submission | undefined; ; await sleep(reconnectDelayMs, signal)) {
    let channel: string;
    try {
      ({ ticket: cursor.ticket, channel } = await getTicket());
    } catch (error) {
      signal?.throwIfAborted();
      // The page's own request fails in its own ways, such as a TypeError of fetch: all but an abort may be the outage.
      outage.tolerate(error, !isAbort(error));
      continue;
    }
    try {
      for await (const message of readMessages(call, channel, cursor, signal, outage.end)) {
        submission = applyMessage(submission, message);
        if (submission) yield submission;
        if (submission && isFinished(submission)) return;
      }
    } catch (error) {
      outage.tolerate(error);
    }
  }
}

const isAbort = (error: unknown) => error instanceof Error && error.name === 'AbortError';
