import type { Route } from '../route.ts';
import { exampleKeyId, exampleWorkspaceId } from '../schemas/examples.ts';
import { Me } from '../schemas/me.ts';

export const accountRoutes = {
  getMe: {
    method: 'GET',
    path: '/me',
    bucket: 'submission_read',
    scope: null,
    role: 'viewer',
    audit: null,
    tag: 'Account',
    summary: 'Read the current workspace and API key',
    description:
      'Returns the workspace, mode, tier, name and scopes of the API key, the credits used, and what is stored.',
    success: { status: 200, description: 'The workspace and the API key.', body: Me },
    refusals: [],
    examples: {
      response: {
        workspaceId: exampleWorkspaceId,
        mode: 'live',
        tier: 'pro',
        keyId: exampleKeyId,
        keyName: 'Publishing pipeline',
        keyPrefix: 'sk_live_3f9c',
        keyExpiresAt: null,
        scopes: ['read', 'submit'],
        credits: { used: 128 },
        storage: { files: 42, filesMax: 1_000_000, bytes: 73_400_320_000, bytesMax: 5_368_709_120_000 },
      },
    },
  },
} as const satisfies Record<string, Route>;
