import { Me } from '../me.ts';
import type { Route } from '../route.ts';
import { exampleWorkspaceId } from './examples.ts';

export const accountRoutes = {
  getMe: {
    method: 'GET',
    path: '/me',
    bucket: 'submission_read',
    tag: 'Account',
    summary: 'See which workspace and key you use',
    description: 'The workspace, mode and tier behind the API key, and the credits spent.',
    success: { status: 200, description: 'Who you are here.', body: Me },
    refusals: [],
    examples: {
      response: {
        workspaceId: exampleWorkspaceId,
        mode: 'live',
        tier: 'pro',
        keyPrefix: 'sk_live_3f9c',
        credits: { used: 128 },
      },
    },
  },
} as const satisfies Record<string, Route>;
