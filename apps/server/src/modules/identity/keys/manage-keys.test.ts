import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { keyRecheckSeconds, keysPerWorkspaceMax } from '@assay/contract/limits.ts';
import { type Scope, scopes, usualScopes } from '@assay/contract/rights.ts';
import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import type { Client } from '@assay/testing/service/client.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';

const api = await openTestApi(liftedLimits);
const { workspaceId, liveKey } = await api.makeWorkspace();
const manager = await clientWith('live', scopes);
const sandboxManager = await clientWith('sandbox', scopes);
const later = new Date(Date.now() + 3_600_000).toISOString();
const muchLater = new Date(Date.now() + 7_200_000).toISOString();

async function clientWith(mode: 'live' | 'sandbox', chosen: readonly Scope[], expires?: string, id = workspaceId) {
  const args = [
    '--workspace',
    id,
    '--mode',
    mode,
    '--scopes',
    chosen.join(','),
    ...(expires ? ['--expires', expires] : []),
  ];
  return api.client(((await api.admin('key', 'create', ...args)) as { key: string }).key);
}
const create = (by: Client, more: object = {}) => by.post('/keys', { name: 'Pipeline', ...more });
const pathOf = ({ body }: { body: { keyId: string } }) => `/keys/${body.keyId}`;

describe('POST /keys', () => {
  describe('201: a key', () => {
    test('can be used at once, with exactly the chosen scopes, and is shown only in this response', async () => {
      const { status, headers, body } = await create(manager, { scopes: ['submit', 'read', 'read'], expiresAt: later });
      expect(status).toBe(201);
      expect(body).toEqual({
        keyId: expect.any(String),
        name: 'Pipeline',
        mode: 'live',
        scopes: ['read', 'submit'],
        prefix: body.key.slice(0, 12),
        lastFour: body.key.slice(-4),
        createdAt: expect.any(String),
        lastUsedAt: null,
        expiresAt: later,
        revokedAt: null,
        key: expect.stringMatching(/^sk_live_[0-9a-f]{64}$/),
      });
      const me = (await api.client(body.key).get('/me')).body;
      expect(me).toMatchObject({ workspaceId, keyId: body.keyId, keyName: 'Pipeline', scopes: ['read', 'submit'] });
      const location = headers.get('location')?.replace('/api/integrations', '') as string;
      const again = await manager.get(location);
      expect(again.body).not.toHaveProperty('key');
      expect(JSON.stringify([again.body, (await manager.get('/keys')).body])).not.toContain(body.key);
    });

    test('without scopes has all except manage, and the mode of the key that creates it', async () => {
      expect((await create(manager)).body).toMatchObject({ mode: 'live', scopes: usualScopes, expiresAt: null });
      expect((await create(sandboxManager)).body).toMatchObject({ mode: 'sandbox', scopes: usualScopes });
      expect((await create(manager, { mode: 'sandbox' })).body.key).toMatch(/^sk_test_/);
    });
  });

  describe('403: a key gives others nothing that it lacks', () => {
    test.each([
      ['a scope', ['manage', 'read'], undefined, { scopes: ['read', 'submit'] }, 'submit'],
      ['the scopes of a key without scopes', ['manage'], undefined, {}, 'read, submit, decide, webhooks, profiles'],
      ['no expiry', scopes, later, {}, 'longer than itself'],
      ['a later expiry', scopes, later, { expiresAt: muchLater }, 'longer than itself'],
    ] as const)('insufficient_scope is returned for %s', async (_, chosen, expires, json, text) => {
      const { status, body } = await create(await clientWith('live', chosen, expires), json);
      expect({ status, code: body.code, detail: body.detail }).toEqual({
        status: 403,
        code: 'insufficient_scope',
        detail: expect.stringContaining(text),
      });
    });

    test('a key that expires can create one that expires with it', async () => {
      expect((await create(await clientWith('live', scopes, later), { expiresAt: later })).status).toBe(201);
    });

    test('a sandbox key cannot create a live key: live_key', async () => {
      expect(await create(sandboxManager, { mode: 'live' })).toMatchObject(refused(403, 'live_key'));
    });
  });

  describe('409: too many keys', () => {
    test('key_limit_reached counts neither expired nor revoked keys, and concurrent requests do not exceed it', async () => {
      const other = await api.makeWorkspace();
      const client = await clientWith('live', scopes, undefined, other.workspaceId);
      const insert = (count: number, expires: Date | null, revoked: Date | null) =>
        sql`
          insert into api_keys (key_id, workspace_id, mode, hmac, prefix, last_four, expires_at, revoked_at)
          select gen_random_uuid(), ${other.workspaceId}, 'live', sha256(gen_random_uuid()::text::bytea), 'p', 'f',
            ${expires}::timestamptz, ${revoked}::timestamptz
          from generate_series(1, ${count}::int)`.execute(api.handles.db);
      await insert(keysPerWorkspaceMax, new Date(0), null);
      await insert(keysPerWorkspaceMax, null, new Date());
      const [existing, room] = [3, 2]; // the workspace was made with two keys, and has that of the client
      await insert(keysPerWorkspaceMax - existing - room, null, null);
      const responses = await Promise.all(Array.from({ length: 4 }, () => create(client)));
      expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
      expect(await create(client)).toMatchObject(refused(409, 'key_limit_reached'));
      const created = responses.find(({ status }) => status === 201);
      await client.delete(`/keys/${created?.body.keyId}`);
      expect((await create(client)).status).toBe(201);
    });
  });

  describe('422: an invalid request', () => {
    test.each([
      [{ name: undefined }, '/name'],
      [{ name: '' }, '/name'],
      [{ name: 'x'.repeat(101) }, '/name'],
      [{ mode: 'test' }, '/mode'],
      [{ scopes: [] }, '/scopes'],
      [{ scopes: ['write'] }, '/scopes/0'],
      [{ expiresAt: 'soon' }, '/expiresAt'],
      [{ expiresAt: '2020-01-01T00:00:00Z' }, '/expiresAt'],
      [{ key: 'x' }, '/key'],
    ])('validation_failed is returned for %j', async (json, pointer) => {
      const { status, body } = await create(manager, json);
      expect([status, body.code, body.errors?.[0]?.pointer]).toEqual([422, 'validation_failed', pointer]);
    });
  });
});

describe('GET /keys', () => {
  describe('200: the keys of the workspace', () => {
    test('are listed newest first, page by page, with what became of them', async () => {
      const other = await api.makeWorkspace();
      const client = await clientWith('live', scopes, undefined, other.workspaceId);
      const [revoked, expired] = [await create(client, { name: 'Old' }), await create(client, { name: 'Short' })];
      await client.delete(pathOf(revoked));
      await client.patch(pathOf(expired), { expiresAt: '2026-01-01T00:00:00Z' });
      const first = await client.get('/keys?limit=3');
      expect(first.body).toMatchObject({
        keys: [
          { name: 'Short', expiresAt: '2026-01-01T00:00:00.000Z', revokedAt: null },
          { name: 'Old', revokedAt: expect.any(String) },
          { name: null, scopes: [...scopes] },
        ],
        hasMore: true,
      });
      const second = await client.get(`/keys?limit=3&cursor=${first.body.nextCursor}`);
      expect(second.body).toMatchObject({ keys: [{ mode: 'sandbox' }, { mode: 'live' }], hasMore: false });
    });
  });

  describe('422: an invalid query', () => {
    test.each(['limit=0', 'limit=101', 'cursor=x', 'mode=live'])(
      'validation_failed is returned for %s',
      async (query) => {
        expect(await manager.get(`/keys?${query}`)).toMatchObject(refused(422, 'validation_failed'));
      },
    );
  });
});

describe('GET /keys/{key_id}', () => {
  describe('200: a key', () => {
    test('is the same as in the list, also with a sandbox key', async () => {
      const created = await create(manager);
      const { key, ...rest } = created.body;
      expect((await sandboxManager.get(pathOf(created))).body).toEqual(rest);
      expect((await manager.get('/keys?limit=1')).body.keys).toEqual([rest]);
    });
  });

  describe('404: no such key', () => {
    test('key_not_found is returned for an unknown ID', async () => {
      expect(await manager.get(`/keys/${randomUUID()}`)).toMatchObject(refused(404, 'key_not_found'));
    });
  });
});

describe('PATCH /keys/{key_id}', () => {
  describe('200: the changed key', () => {
    test('has the new name or expiry; the other field, mode and scopes stay', async () => {
      const created = await create(manager, { scopes: ['read'] });
      const { key, ...before } = created.body;
      const renamed = await manager.patch(pathOf(created), { name: 'Archive' });
      expect([renamed.status, renamed.body]).toEqual([200, { ...before, name: 'Archive' }]);
      const limited = await manager.patch(pathOf(created), { expiresAt: later });
      expect(limited.body).toEqual({ ...before, name: 'Archive', expiresAt: later });
      expect((await manager.patch(pathOf(created), { expiresAt: null })).body.expiresAt).toBeNull();
    });

    test(`is refused within ${keyRecheckSeconds} s after it was made to expire, and accepted again after it was extended`, async () => {
      const created = await create(manager);
      const client = api.client(created.body.key);
      expect((await client.get('/me')).status).toBe(200);
      await manager.patch(pathOf(created), { expiresAt: '2026-01-01T00:00:00Z' });
      await sleep(keyRecheckSeconds * 1000);
      expect(await client.get('/me')).toMatchObject(refused(401, 'invalid_api_key'));
      await manager.patch(pathOf(created), { expiresAt: null });
      await sleep(keyRecheckSeconds * 1000);
      expect((await client.get('/me')).status).toBe(200);
    });
  });

  describe('403: a key extends no key beyond its own rights', () => {
    test('insufficient_scope is returned for a later expiry of a key with more scopes, not for an earlier one', async () => {
      const created = await create(manager, { expiresAt: later });
      const narrow = await clientWith('live', ['manage', 'read']);
      for (const expiresAt of [muchLater, null])
        expect(await narrow.patch(pathOf(created), { expiresAt })).toMatchObject(refused(403, 'insufficient_scope'));
      expect((await narrow.patch(pathOf(created), { name: 'Renamed' })).status).toBe(200);
      expect((await narrow.patch(pathOf(created), { expiresAt: '2026-01-01T00:00:00Z' })).status).toBe(200);
    });

    test('insufficient_scope is returned when a key extends itself', async () => {
      const temporary = await clientWith('live', scopes, later);
      const { keyId } = (await temporary.get('/me')).body;
      const response = await temporary.patch(`/keys/${keyId}`, { expiresAt: null });
      expect(response).toMatchObject(refused(403, 'insufficient_scope'));
    });

    test('live_key is returned to a sandbox key for a live key', async () => {
      const created = await create(manager);
      const change = await sandboxManager.patch(pathOf(created), { name: 'x' });
      expect(change).toMatchObject(refused(403, 'live_key'));
      const own = await create(manager, { mode: 'sandbox' });
      expect((await sandboxManager.patch(pathOf(own), { name: 'x' })).status).toBe(200);
    });
  });

  describe('404: no such key', () => {
    test('key_not_found is returned for an unknown ID', async () => {
      const response = await manager.patch(`/keys/${randomUUID()}`, { name: 'x' });
      expect(response).toMatchObject(refused(404, 'key_not_found'));
    });
  });

  describe('409: the key is revoked', () => {
    test('key_revoked is returned, whatever is changed', async () => {
      const created = await create(manager);
      await manager.delete(pathOf(created));
      for (const json of [{ name: 'x' }, { expiresAt: null }])
        expect(await manager.patch(pathOf(created), json)).toMatchObject(refused(409, 'key_revoked'));
    });
  });

  describe('422: an invalid request', () => {
    test.each([{}, { name: null }, { name: '' }, { scopes: ['read'] }, { mode: 'live' }, { expiresAt: 'soon' }])(
      'validation_failed is returned for %j',
      async (json) => {
        const created = await create(manager);
        expect(await manager.patch(pathOf(created), json)).toMatchObject(refused(422, 'validation_failed'));
      },
    );
  });
});

describe('DELETE /keys/{key_id}', () => {
  describe('204: the key is revoked', () => {
    test('it is refused from then on, and stays in the list with the time of its revocation', async () => {
      const created = await create(manager);
      expect(await manager.delete(pathOf(created))).toMatchObject({ status: 204 });
      expect(await api.client(created.body.key).get('/me')).toMatchObject(refused(401, 'invalid_api_key'));
      const { revokedAt } = (await manager.get(pathOf(created))).body;
      expect(revokedAt).toEqual(expect.any(String));
      expect((await manager.delete(pathOf(created))).status).toBe(204);
      expect((await manager.get(pathOf(created))).body.revokedAt).toBe(revokedAt);
    });

    test('a key can revoke itself', async () => {
      const { body } = await create(manager, { scopes: [...scopes] });
      expect((await api.client(body.key).delete(`/keys/${body.keyId}`)).status).toBe(204);
    });
  });

  describe('403: a sandbox key cannot revoke a live key', () => {
    test('live_key is returned, and the key stays valid', async () => {
      const created = await create(manager);
      expect(await sandboxManager.delete(pathOf(created))).toMatchObject(refused(403, 'live_key'));
      expect((await api.client(created.body.key).get('/me')).status).toBe(200);
    });
  });

  describe('404: no such key', () => {
    test('key_not_found is returned for an unknown ID', async () => {
      expect(await manager.delete(`/keys/${randomUUID()}`)).toMatchObject(refused(404, 'key_not_found'));
    });
  });
});

test('a key from before there were scopes cannot manage keys', async () => {
  expect(await api.client(liveKey).get('/keys')).toMatchObject(refused(403, 'insufficient_scope'));
});
