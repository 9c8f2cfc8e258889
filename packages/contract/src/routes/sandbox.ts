import { FireRequest, FireResult } from '../event.ts';
import type { Route } from '../route.ts';
import { exampleSubmissionId } from './examples.ts';

export const sandboxRoutes = {
  fireEvents: {
    method: 'POST',
    path: '/sandbox/events/fire',
    bucket: 'sandbox',
    tag: 'Sandbox',
    summary: 'Fire events for a submission',
    description:
      'Sends one synthetic event per asset of the submission to every active subscription of the workspace that lists the event type. Nothing is processed, nothing of the submission changes, and no credit is spent.',
    isSandboxOnly: true,
    body: FireRequest,
    success: { status: 200, description: 'The events are on their way.', body: FireResult },
    refusals: ['submission_not_found'],
    examples: {
      request: { eventType: 'asset.processing.failed', submissionId: exampleSubmissionId },
      response: { dispatched: 6 },
    },
  },
} as const satisfies Record<string, Route>;
