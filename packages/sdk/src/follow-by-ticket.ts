import { addressOf, createCall } from './call.ts';
import { applied, isOver, watchPresence } from './follow.ts';
import { sleep } from './retry.ts';
import { type Cursor, messagesOf } from './stream.ts';
import type { Submission, Ticket } from './wire.generated.ts';

export type TicketOptions = {
  /** Where Assay runs, without path. */
  baseUrl: string;
  /** Asks your server for a ticket, which makes it by `assay.submissions.createTicket`. Called for each connection. */
  getTicket: () => Promise<Pick<Ticket, 'ticket' | 'channel'>>;
  signal?: AbortSignal | undefined;
  fetch?: typeof fetch | undefined;
};

const connectAgainMs = 2000;

/**
 * Every state of a submission until it is over, in a page that has no key. It connects again for two minutes after a
 * lost connection. A page whose origin is not allowed sees the same as one that is offline: see `CORS_ORIGINS`.
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
  const presence = watchPresence();
  for (let submission: Submission | undefined; ; ) {
    const { ticket, channel } = await getTicket();
    cursor.ticket = ticket;
    try {
      for await (const message of messagesOf(call, channel, cursor, signal, presence.seen)) {
        submission = applied(submission, message);
        if (submission) yield submission;
        if (submission && isOver(submission)) return;
      }
    } catch (error) {
      presence.endure(error);
    }
    await sleep(connectAgainMs, signal);
  }
}
