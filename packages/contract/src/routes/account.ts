import type { Route } from '../route.ts';
import { exampleWorkspaceId } from '../schemas/examples.ts';
import { Me } from '../schemas/me.ts';

export const accountRoutes = {
  getMe: {
    method: 'GET',
    path: '/me',
    bucket: 'submission_read',
    tag: 'Account',
    summary: 'Read the current workspace and API key',
    description: 'Returns the workspace, mode and tier of the API key, and the credits used.',
    success: { status: 200, description: 'The workspace and the API key.', body: Me },
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
