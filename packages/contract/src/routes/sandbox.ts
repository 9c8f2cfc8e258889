import type { Route } from '../route.ts';
import { FireRequest, FireResult } from '../schemas/event.ts';
import { exampleSubmissionId } from '../schemas/examples.ts';

export const sandboxRoutes = {
  fireEvents: {
    method: 'POST',
    path: '/sandbox/events/fire',
    bucket: 'sandbox',
    scope: 'webhooks',
    role: 'manager',
    audit: null,
    tag: 'Sandbox',
    summary: 'Fire events for a submission',
    description:
      'Sends one synthetic event per asset of the submission to every active subscription of the workspace that includes the event type. Nothing is processed, the submission does not change, and no credits are used.',
    isSandboxOnly: true,
    body: FireRequest,
    success: { status: 200, description: 'The events are queued for delivery.', body: FireResult },
    refusals: ['submission_not_found'],
    examples: {
      request: { eventType: 'asset.processing.failed', submissionId: exampleSubmissionId },
      response: { dispatched: 6 },
    },
  },
} as const satisfies Record<string, Route>;
