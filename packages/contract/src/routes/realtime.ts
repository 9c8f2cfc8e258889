import { ticketLifetimeSeconds } from '../limits.ts';
import type { Route } from '../route.ts';
import { exampleCompletedAt, exampleSubmissionId, exampleTicket } from '../schemas/examples.ts';
import { RealtimeQuery, realtimeMessages, Ticket, TicketRequest } from '../schemas/realtime.ts';

const exampleChannel = `submission.${exampleSubmissionId}`;

export const realtimeRoutes = {
  openRealtime: {
    method: 'GET',
    path: '/realtime',
    bucket: 'submission_read',
    scope: 'read',
    role: 'viewer',
    audit: null,
    tag: 'Realtime',
    summary: 'Stream a channel',
    description:
      'Server-sent events. For a submission: first `snapshot`, the submission as `GET /submissions/{submission_id}` returns it; then `asset.updated` and `submission.updated`, each with the current state, until the submission is finished. A client that reconnects with `Last-Event-ID` resumes where it stopped.',
    query: RealtimeQuery,
    success: {
      status: 200,
      description: 'The stream. It ends after `complete` or `failed`.',
      messages: realtimeMessages,
      orNothing: 'The submission is finished and `Last-Event-ID` is its last message. Do not reconnect.',
    },
    refusals: ['channel_not_found', 'invalid_ticket'],
    examples: {},
  },
  createTicket: {
    method: 'POST',
    path: '/realtime/tickets',
    bucket: 'submission_read',
    scope: 'read',
    role: 'viewer',
    audit: null,
    tag: 'Realtime',
    summary: 'Create a ticket for a stream',
    description: `For \`EventSource\` in browsers, which cannot send headers: a ticket opens one channel within ${ticketLifetimeSeconds} seconds. Create it on your server and pass it to the page, so that the API key stays on the server.`,
    body: TicketRequest,
    success: { status: 201, description: 'The ticket.', body: Ticket },
    refusals: ['channel_not_found'],
    examples: {
      request: { channel: exampleChannel },
      response: { ticket: exampleTicket, channel: exampleChannel, expiresAt: exampleCompletedAt },
    },
  },
} as const satisfies Record<string, Route>;
