import type { Call, Reply } from '#call/call.ts';
import type { Tickets } from '#modules/identity/tickets/ticket.ts';
import type { Handles } from '#platform/handles.ts';
import { requireChannel } from './require-channel.ts';

/** For `EventSource` in a browser, which cannot send a header; API keys should stay on a server anyway. */
export async function createTicket(
  { caller, body: { channel } }: Call<'createTicket'>,
  { db }: Handles,
  tickets: Tickets,
): Promise<Reply<'createTicket'>> {
  await requireChannel(db, caller, channel);
  const { ticket, expiresAt } = tickets.issue(caller.actor.id, channel);
  return { ticket, channel, expiresAt: expiresAt.toISOString() };
}
