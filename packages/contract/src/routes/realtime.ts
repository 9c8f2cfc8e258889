import { RealtimeQuery, realtimeMessages } from '../realtime.ts';
import type { Route } from '../route.ts';

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
    refusals: ['channel_not_found'],
    examples: {},
  },
} as const satisfies Record<string, Route>;
