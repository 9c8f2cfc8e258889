import { RealtimeQuery, realtimeMessages, Ticket, TicketRequest } from '../realtime.ts';
import type { Route } from '../route.ts';
import { exampleEnd, exampleSubmissionId } from './examples.ts';

const channel = `submission.${exampleSubmissionId}`;

export const realtimeRoutes = {
  openRealtime: {
    method: 'GET',
    path: '/realtime',
    bucket: 'submission_read',
    tag: 'Realtime',
    summary: 'Follow a channel live',
    description:
      'Server-sent events. Of a submission: first `snapshot`, the submission as GET gives it; then `asset.updated` and `submission.updated`, each with the state as it is now, until the submission is over. A client that reconnects with `Last-Event-ID` goes on where it was.',
    query: RealtimeQuery,
    success: {
      status: 200,
      description: 'The stream. It ends after `complete` or `failed`.',
      messages: realtimeMessages,
      orNothing: 'The submission is over and `Last-Event-ID` names its last message: there is no need to reconnect.',
    },
    refusals: ['channel_not_found', 'invalid_ticket'],
    examples: {},
  },
  createTicket: {
    method: 'POST',
    path: '/realtime/tickets',
    bucket: 'submission_read',
    tag: 'Realtime',
    summary: 'Make a ticket for a stream',
    description:
      'For `EventSource` in a browser, which cannot send a header: a ticket opens one channel, within 60 seconds. Ask for it on your server and hand it to the page, so that the key stays where it is.',
    body: TicketRequest,
    success: { status: 201, description: 'The ticket.', body: Ticket },
    refusals: ['channel_not_found'],
    examples: { request: { channel }, response: { ticket: '…', channel, expiresAt: exampleEnd } },
  },
} as const satisfies Record<string, Route>;
