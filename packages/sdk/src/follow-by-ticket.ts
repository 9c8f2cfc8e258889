import { createCall } from './call.ts';
import { AssayError, ConnectionError } from './errors.ts';
import { applied, isOver } from './follow.ts';
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

const connectAgainMs = 1000;
const connectionsInVainMax = 10;

/** Every state of a submission until it is over, in a page that has no key. */
export async function* followByTicket({ baseUrl, getTicket, signal, ...options }: TicketOptions) {
  const send: typeof fetch = options.fetch ?? ((url, request) => fetch(url, request));
  const call = createCall({ apiKey: '', baseUrl, timeoutMs: 60_000, maxRetries: 0, headers: {}, fetch: send });
  const cursor: Cursor = {};
  let submission: Submission | undefined;
  for (let inVain = 0; inVain < connectionsInVainMax; inVain++) {
    const { ticket, channel } = await getTicket();
    cursor.ticket = ticket;
    try {
      for await (const message of messagesOf(call, channel, cursor, signal)) {
        inVain = 0;
        submission = applied(submission, message);
        if (submission) yield submission;
        if (submission && isOver(submission)) return;
      }
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
    }
    await sleep(connectAgainMs, signal);
  }
  throw new AssayError('The stream brings nothing. Poll the submission instead.');
}
