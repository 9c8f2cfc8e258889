import { randomUUID } from 'node:crypto';
import { subscriptionsPerWorkspaceMax } from '@assay/contract/limits.ts';
import { eventTypes } from '@assay/contract/schemas/event.ts';
import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import type { Client } from '@assay/testing/service/client.ts';
import { openOwnerDb } from '@assay/testing/service/owner-db.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { subscribe, subscriptionPath } from '@assay/testing/service/webhooks.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';

const api = await openTestApi(liftedLimits);
const ownerDb = openOwnerDb(); // the service must not read every table
const hookUrl = 'http://127.0.0.1:9/hook';
const validBody = { url: hookUrl, eventTypes: ['asset.processing.failed'] };
const makeClient = async () => api.client((await api.makeWorkspace()).liveKey);
const client = await makeClient();

const createSubscription = (json: unknown, by: Client = client) => by.post('/webhooks/subscriptions', json);
const createWithIdempotencyKey = (key: string, json: unknown, by: Client = client) =>
  by.post('/webhooks/subscriptions', json, { headers: { 'idempotency-key': key } });
const listSubscriptions = async (by: Client) => (await by.get('/webhooks/subscriptions')).body.subscriptions;

/** Every row of every table as text; bytes are in hex. */
async function dumpDatabase(): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(ownerDb);
  const dumps = tables.map(({ name }) => sql<{ text: string }>`select t::text as text from ${sql.table(name)} t`);
  const found = await Promise.all(dumps.map((dump) => dump.execute(ownerDb)));
  return found.flatMap(({ rows }) => rows.map(({ text }) => text)).join('\n');
}

/** The encodings in which a secret could be stored. */
function encodingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const ofText = Buffer.from(secret);
  return [bytes.toString('base64'), bytes.toString('hex'), ofText.toString('hex'), ofText.toString('base64')];
}

describe('POST /webhooks/subscriptions', () => {
  describe('201: the subscription is created', () => {
    test('by default a subscription is active, for all modes and without a rate limit (§4.11a, §2.5f)', async () => {
      const workspace = await api.makeWorkspace();
      const { body } = await createSubscription(validBody, api.client(workspace.liveKey));
      expect(body).toEqual({
        subscriptionId: expect.any(String),
        workspaceId: workspace.workspaceId,
        url: hookUrl,
        description: null,
        eventTypes: ['asset.processing.failed'],
        isActive: true,
        mode: 'all',
        createdWith: 'live',
        maxRequestsPerSecond: null,
        disabledReason: null,
        disabledAt: null,
        consecutiveFailureCount: 0,
        lastDeliveryAt: null,
        lastSuccessAt: null,
        createdAt: expect.any(String),
        updatedAt: body.createdAt,
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      });
    });

    test('a subscription has all the settings of the request', async () => {
      const chosen = {
        url: hookUrl,
        eventTypes,
        description: 'Die Küche 🎬',
        mode: 'sandbox',
        maxRequestsPerSecond: 100,
      };
      const { status, body } = await createSubscription(chosen);
      expect(status).toBe(201);
      expect(body).toMatchObject(chosen);
    });

    test('a null optional member counts as absent', async () => {
      const { status, body } = await createSubscription({
        ...validBody,
        description: null,
        mode: null,
        maxRequestsPerSecond: null,
      });
      expect(status).toBe(201);
      expect(body).toMatchObject({ description: null, mode: 'all', maxRequestsPerSecond: null });
    });

    test('a repeated event type is listed once', async () => {
      const [first, second] = eventTypes;
      const { body } = await createSubscription({ url: hookUrl, eventTypes: [second, first, second, second] });
      expect(body.eventTypes).toEqual([second, first]);
    });

    test('public https URLs are accepted, and in development mode also http URLs on the same machine', async () => {
      for (const allowed of ['https://1.1.1.1/hook?a=b', 'https://[2606:4700:4700::1111]/', 'http://localhost:9/']) {
        expect(await createSubscription({ ...validBody, url: allowed }, await makeClient())).toMatchObject({
          status: 201,
          body: { url: allowed },
        });
      }
    });

    test('a subscription created with a sandbox key is listed for the live key', async () => {
      const { liveKey, sandboxKey } = await api.makeWorkspace();
      const { body } = await createSubscription(validBody, api.client(sandboxKey));
      expect(await listSubscriptions(api.client(liveKey))).toMatchObject([{ subscriptionId: body.subscriptionId }]);
    });
  });

  describe('201: the secret', () => {
    test('is returned only by the request that creates the subscription', async () => {
      const fresh = await makeClient();
      const { body } = await createSubscription(validBody, fresh);
      const path = subscriptionPath(body);
      const responses = [
        await fresh.get('/webhooks/subscriptions'),
        await fresh.get(path),
        await fresh.patch(path, { description: 'x' }),
      ];
      for (const response of responses) {
        expect(response.status).toBe(200);
        expect(JSON.stringify(response.body)).not.toMatch(/secret|whsec_/i);
      }
    });

    test('is not in the database as text or as bytes, even with an Idempotency-Key', async () => {
      const key = randomUUID();
      const { body } = await createWithIdempotencyKey(key, validBody);
      const dump = await dumpDatabase();
      expect(dump).toContain(body.subscriptionId);
      expect(dump).toContain(key);
      expect(dump).not.toContain('whsec_');
      for (const trace of encodingsOf(body.secret)) expect(dump).not.toContain(trace);
    });

    test('differs for each subscription', async () => {
      const fresh = await makeClient();
      const secrets = [await subscribe(fresh, hookUrl), await subscribe(fresh, hookUrl)].map(({ secret }) => secret);
      expect(new Set(secrets).size).toBe(2);
    });
  });

  describe('409: the limit is reached, or the Idempotency-Key is in use', () => {
    test('20 of 25 concurrent requests succeed, and the rest get subscription_limit_reached', async () => {
      const fresh = await makeClient();
      const responses = await Promise.all(Array.from({ length: 25 }, () => createSubscription(validBody, fresh)));
      const refused = responses.filter(({ status }) => status !== 201);
      expect(refused.map(({ body }) => body.code)).toEqual(Array(5).fill('subscription_limit_reached'));
      expect(await listSubscriptions(fresh)).toHaveLength(subscriptionsPerWorkspaceMax);
    });

    test('if the workspace has room for one more before subscription_limit_reached, only one of ten concurrent requests succeeds', async () => {
      const fresh = await makeClient();
      for (let i = 1; i < subscriptionsPerWorkspaceMax; i++) await subscribe(fresh, hookUrl);
      for (let turn = 0; turn < 5; turn++) {
        const responses = await Promise.all(Array.from({ length: 10 }, () => createSubscription(validBody, fresh)));
        const made = responses.filter(({ status }) => status === 201);
        expect(made).toHaveLength(1);
        await fresh.delete(subscriptionPath(made[0]?.body));
      }
    });

    test('an inactive subscription counts towards subscription_limit_reached, and a deleted one does not', async () => {
      const fresh = await makeClient();
      const made = [];
      for (let i = 0; i < subscriptionsPerWorkspaceMax; i++) made.push(await subscribe(fresh, hookUrl));
      const path = subscriptionPath(made[0] as (typeof made)[number]);
      await fresh.patch(path, { isActive: false });
      expect(await createSubscription(validBody, fresh)).toMatchObject(refused(409, 'subscription_limit_reached'));
      await fresh.delete(path);
      expect(await createSubscription(validBody, fresh)).toMatchObject({ status: 201 });
      expect(await createSubscription(validBody, await makeClient())).toMatchObject({ status: 201 });
    });
  });

  describe('422: an invalid request, or a blocked URL', () => {
    test.each([
      ['/url', 'no URL', { eventTypes }],
      ['/url', 'a null URL', { ...validBody, url: null }],
      ['/url', 'an empty URL', { ...validBody, url: '' }],
      ['/url', 'a URL of more than 2048 characters', { ...validBody, url: `http://127.0.0.1:9/${'x'.repeat(2048)}` }],
      ['/url', 'a NUL in the URL', { ...validBody, url: `${hookUrl}?\0` }],
      ['/eventTypes', 'no event types', { url: hookUrl }],
      ['/eventTypes', 'an empty list of event types', { url: hookUrl, eventTypes: [] }],
      ['/eventTypes', 'null event types', { url: hookUrl, eventTypes: null }],
      ['/eventTypes', '21 event types', { url: hookUrl, eventTypes: Array(21).fill(eventTypes[0]) }],
      ['/eventTypes/1', 'an unknown event type', { url: hookUrl, eventTypes: [eventTypes[0], 'asset.deleted'] }],
      ['/description', 'a description of 501 characters', { ...validBody, description: 'x'.repeat(501) }],
      ['/description', 'a NUL in the description', { ...validBody, description: 'a\0b' }],
      ['/mode', 'an unknown mode', { ...validBody, mode: 'test' }],
      ['/maxRequestsPerSecond', 'a rate limit of 0', { ...validBody, maxRequestsPerSecond: 0 }],
      ['/maxRequestsPerSecond', 'a rate limit of 101', { ...validBody, maxRequestsPerSecond: 101 }],
      ['/maxRequestsPerSecond', 'a rate limit with a fraction', { ...validBody, maxRequestsPerSecond: 1.5 }],
      ['/secret', 'a secret', { ...validBody, secret: 'mine' }],
      ['/isActive', 'isActive', { ...validBody, isActive: true }],
      ['', 'a body that is an array', []],
    ])('validation_failed points to "%s" for %s', async (pointer, _, json) => {
      expect(await createSubscription(json)).toMatchObject(refused(422, 'validation_failed', pointer));
    });

    test.each([
      'http://example.com/',
      'https://10.0.0.1/x',
      'https://192.168.1.1/x',
      'https://169.254.169.254/latest/meta-data',
      'https://0.0.0.0/',
      'https://[::ffff:10.0.0.1]/',
      'https://[fd00::1]/',
      'https://3232235777/', // 192.168.1.1
      'ftp://127.0.0.1/',
      'https://user:word@1.1.1.1/',
      'https://1.1.1.1/#part',
      '/hook',
    ])('the URL %s is refused with url_not_allowed', async (blocked) => {
      const fresh = await makeClient();
      expect(await createSubscription({ ...validBody, url: blocked }, fresh)).toMatchObject(
        refused(422, 'url_not_allowed', '/url'),
      );
      expect(await listSubscriptions(fresh)).toEqual([]);
    });

    test('a URL with an unknown host name is refused with url_not_allowed', async () => {
      expect(await createSubscription({ ...validBody, url: 'https://nobody.invalid/' })).toMatchObject(
        refused(422, 'url_not_allowed'),
      );
    });
  });
});
