import { keysPerWorkspaceMax } from '../limits.ts';
import type { Route } from '../route.ts';
import { exampleCompletedAt, exampleKeyId, exampleTime } from '../schemas/examples.ts';
import { ApiKey, CreatedKey, KeyChange, KeyList, KeyListQuery, KeyRequest } from '../schemas/key.ts';

const keyPath = '/keys/{key_id}';
const linkToKey = { parameters: { key_id: '$response.body#/keyId' } } as const;

const exampleKey = {
  keyId: exampleKeyId,
  name: 'Publishing pipeline',
  mode: 'live',
  scopes: ['read', 'submit'],
  prefix: 'sk_live_3f9c',
  lastFour: '70e1',
  createdAt: exampleTime,
  lastUsedAt: exampleCompletedAt,
  expiresAt: '2027-01-05T00:00:00.000Z',
  revokedAt: null,
} as const;

export const keyRoutes = {
  listKeys: {
    method: 'GET',
    path: '/keys',
    bucket: 'submission_read',
    scope: 'manage',
    role: 'manager',
    audit: null,
    tag: 'Keys',
    summary: 'List the API keys',
    description:
      'The keys of the workspace, newest first, expired and revoked ones included. The keys themselves cannot be read again.',
    query: KeyListQuery,
    success: { status: 200, description: 'One page.', body: KeyList },
    refusals: [],
    examples: { response: { keys: [exampleKey], nextCursor: null, hasMore: false } },
    links: { getKey: { parameters: { key_id: '$response.body#/keys/0/keyId' } } },
  },
  createKey: {
    method: 'POST',
    path: '/keys',
    bucket: 'submission_write',
    scope: 'manage',
    role: 'manager',
    audit: 'key.created',
    tag: 'Keys',
    summary: 'Create an API key',
    description: `Only this response contains the key. A key can give others only scopes that it has, and no expiry later than its own; a sandbox key can create only sandbox keys. A workspace can have up to ${keysPerWorkspaceMax} keys that are neither expired nor revoked. Each request creates another key: if the response is lost, revoke the key and create another.`,
    body: KeyRequest,
    location: '/keys/{keyId}',
    success: { status: 201, description: 'The key, shown only once.', body: CreatedKey },
    refusals: ['live_key', 'key_limit_reached'],
    examples: {
      request: { name: 'Publishing pipeline', scopes: ['read', 'submit'], expiresAt: '2027-01-05T00:00:00Z' },
      // Deliberately unlike a real key, because secret scanners would report one.
      response: { ...exampleKey, lastUsedAt: null, key: 'sk_live_…' },
    },
    links: { getKey: linkToKey, updateKey: linkToKey, revokeKey: linkToKey },
  },
  getKey: {
    method: 'GET',
    path: keyPath,
    bucket: 'submission_read',
    scope: 'manage',
    role: 'manager',
    audit: null,
    tag: 'Keys',
    summary: 'Read an API key',
    description: 'What the key is for and may do, and when it was last used.',
    success: { status: 200, description: 'The key, without its secret part.', body: ApiKey },
    refusals: ['key_not_found'],
    examples: { response: exampleKey },
  },
  updateKey: {
    method: 'PATCH',
    path: keyPath,
    bucket: 'submission_write',
    scope: 'manage',
    role: 'manager',
    audit: 'key.changed',
    tag: 'Keys',
    summary: 'Rename an API key, or change its expiry',
    description:
      'A time in the past expires the key now. A later expiry requires all scopes of the key, and cannot be later than that of the key that calls. The mode and the scopes of a key cannot be changed.',
    body: KeyChange,
    success: { status: 200, description: 'The changed key. An expiry takes effect within 5 seconds.', body: ApiKey },
    refusals: ['live_key', 'key_not_found', 'key_revoked'],
    examples: { request: { expiresAt: '2027-01-05T00:00:00Z' }, response: exampleKey },
  },
  revokeKey: {
    method: 'DELETE',
    path: keyPath,
    bucket: 'submission_write',
    scope: 'manage',
    role: 'manager',
    audit: 'key.revoked',
    tag: 'Keys',
    summary: 'Revoke an API key',
    description:
      'The key is refused from now on, within 5 seconds in every process, and cannot be made valid again. It stays in the list. A key can revoke itself.',
    success: { status: 204, description: 'The key is revoked.' },
    refusals: ['live_key', 'key_not_found'],
    examples: {},
  },
} as const satisfies Record<string, Route>;
