import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventTypes } from '@assay/contract/schemas/event.ts';
import { liftedLimits, openTestApi, openTestWorker, openWorkspace } from '@assay/testing/service/api.ts';
import { openReceiver, type ReceivedRequest } from '@assay/testing/service/receiver.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import {
  fire,
  isNonePending,
  subscribe,
  subscriptionPath,
  untilDeliveries,
  untilEngineIsDone,
} from '@assay/testing/service/webhooks.ts';
import { afterAll, describe, expect, test } from 'vitest';

const settings = { ...liftedLimits, WORKER_QUEUES: 'webhook', WEBHOOK_WAITS_SECONDS: `0,3${',3600'.repeat(8)}` };
const api = await openTestApi(settings);
await openTestWorker(api.config);
const receiver = await openReceiver(({ path }, response) => {
  response.statusCode = { '/failing': 500, '/gone': 410 }[path] ?? 200;
  response.end();
});
afterAll(() => receiver.close());

/** A workspace with one subscription, and a submission to fire events for. */
async function createFixture(path = `/${randomUUID()}`, rest: object = {}) {
  const { live, sandbox } = await openWorkspace(api);
  const { secret, ...created } = await subscribe(live, receiver.url + path, rest);
  const { submissionId } = await submit(sandbox, [await uploadText(sandbox)]);
  return {
    live,
    sandbox,
    created,
    path,
    get: async () => (await live.get(subscriptionPath(created))).body,
    change: (json: unknown, by = live) => by.patch(subscriptionPath(created), json),
    fire: (event: object = {}) => fire(sandbox, submissionId, event),
  };
}

const isSentTo = (path: string) => (one: ReceivedRequest) => one.path === path;

describe('PATCH /webhooks/subscriptions/{subscription_id}', () => {
  describe('200: the given members change', () => {
    test.each([
      ['a URL', { url: 'http://127.0.0.1:9/other' }],
      ['event types', { eventTypes: ['asset.processing.failed'] }],
      ['a description', { description: 'another' }],
      ['an empty description', { description: '' }],
      ['a null description', { description: null }],
      ['a mode', { mode: 'sandbox' }],
      ['a rate limit', { maxRequestsPerSecond: 1 }],
      ['a null rate limit', { maxRequestsPerSecond: null }],
      ['several members', { url: 'http://127.0.0.1:9/', mode: 'live', description: null }],
    ])('a request with %s changes the given members and no others (§4.11a)', async (_, change) => {
      const fixture = await createFixture('/', { description: 'one', maxRequestsPerSecond: 5 });
      await sleep(2);
      const { status, body } = await fixture.change(change);
      expect(status).toBe(200);
      expect(body).toEqual({ ...fixture.created, ...change, updatedAt: expect.any(String) });
      expect(Date.parse(body.updatedAt)).toBeGreaterThan(Date.parse(body.createdAt));
      expect(await fixture.get()).toEqual(body);
    });

    test('null counts as absent for members that cannot be removed', async () => {
      const fixture = await createFixture('/', { mode: 'sandbox' });
      const absent = { url: null, eventTypes: null, mode: null, isActive: null };
      const { status, body } = await fixture.change({ ...absent, description: 'x' });
      expect(status).toBe(200);
      expect(body).toEqual({ ...fixture.created, description: 'x', updatedAt: body.updatedAt });
    });

    test('a repeated event type is listed once', async () => {
      const fixture = await createFixture();
      const { body } = await fixture.change({ eventTypes: [eventTypes[1], eventTypes[0], eventTypes[1]] });
      expect(body.eventTypes).toEqual([eventTypes[1], eventTypes[0]]);
    });

    test('a new URL receives later events and retries', async () => {
      const fixture = await createFixture('/failing');
      await fixture.fire();
      await untilDeliveries(fixture.live, fixture.created, ([delivery]) => delivery.attemptCount === 1);
      const path = `/${randomUUID()}`;
      await fixture.change({ url: receiver.url + path });
      await receiver.until(1, isSentTo(path));
      const [delivery] = await untilDeliveries(fixture.live, fixture.created, isNonePending);
      const urls = delivery.attempts.map(({ url }: { url: string }) => url);
      expect(urls).toEqual([`${receiver.url}/failing`, receiver.url + path]);
    });

    test('new event types apply to later events (§6c)', async () => {
      const fixture = await createFixture();
      await fixture.change({ eventTypes: ['asset.processing.failed'] });
      expect(await fixture.fire()).toBe(0);
      expect(await fixture.fire({ eventType: 'asset.processing.failed' })).toBe(1);
    });

    test('a subscription that was created with a sandbox key can be changed with a sandbox key or a live key', async () => {
      const { live, sandbox } = await createFixture();
      const made = await subscribe(sandbox, receiver.url);
      expect(made).toMatchObject({ createdWith: 'sandbox' });
      for (const client of [sandbox, live]) {
        const response = await client.patch(subscriptionPath(made), { description: 'changed' });
        expect(response).toMatchObject({ status: 200, body: { createdWith: 'sandbox' } });
      }
    });
  });

  describe('200: isActive', () => {
    test('false disables the subscription with the reason manual, and nothing more is sent (§2.5f, §6c)', async () => {
      const fixture = await createFixture();
      const { body } = await fixture.change({ isActive: false });
      expect(body).toMatchObject({ isActive: false, disabledReason: 'manual', disabledAt: body.updatedAt });
      expect(await fixture.get()).toEqual(body);
      expect(await fixture.fire()).toBe(0);
      await sleep(300);
      expect(receiver.received.filter(isSentTo(fixture.path))).toEqual([]);
    });

    test('false cancels pending deliveries at once', async () => {
      const fixture = await createFixture('/failing');
      await fixture.fire();
      const [before] = await untilDeliveries(
        fixture.live,
        fixture.created,
        ([delivery]) => delivery.attemptCount === 1,
      );
      await fixture.change({ isActive: false });
      const [delivery] = await untilDeliveries(fixture.live, fixture.created, () => true);
      expect(delivery).toMatchObject({ status: 'cancelled', attemptCount: 1, nextAttemptAt: null });
      expect(delivery.completedAt).not.toBeNull();
      await untilEngineIsDone(api.handles, delivery);
      const { received } = receiver;
      expect(received.filter(({ event }) => event.id === before.eventId)).toHaveLength(1);
      expect((await fixture.get()).consecutiveFailureCount).toBe(1);
    });

    test('false for a subscription that is already disabled keeps its time and reason', async () => {
      const fixture = await createFixture('/gone');
      await fixture.fire();
      await untilDeliveries(fixture.live, fixture.created, isNonePending);
      const stopped = await fixture.get();
      expect(stopped).toMatchObject({ isActive: false, disabledReason: 'gone' });
      const { body } = await fixture.change({ isActive: false });
      expect(body).toEqual({ ...stopped, updatedAt: body.updatedAt });
    });

    test('true reactivates the subscription and clears its reason, time and failure count', async () => {
      const fixture = await createFixture('/gone');
      await fixture.fire();
      await untilDeliveries(fixture.live, fixture.created, isNonePending);
      expect(await fixture.get()).toMatchObject({ isActive: false, consecutiveFailureCount: 1 });
      const path = `/${randomUUID()}`;
      const { body } = await fixture.change({ isActive: true, url: receiver.url + path });
      expect(body).toMatchObject({
        isActive: true,
        disabledReason: null,
        disabledAt: null,
        consecutiveFailureCount: 0,
      });
      expect(await fixture.fire()).toBe(1);
      expect(await receiver.until(1, isSentTo(path))).toHaveLength(1);
    });

    test('true does not restore cancelled deliveries', async () => {
      const fixture = await createFixture('/failing');
      await fixture.fire();
      const [delivery] = await untilDeliveries(fixture.live, fixture.created, ([first]) => first.attemptCount === 1);
      await fixture.change({ isActive: false });
      const path = `/${randomUUID()}`;
      await fixture.change({ isActive: true, url: receiver.url + path });
      await untilEngineIsDone(api.handles, delivery);
      expect(receiver.received.filter(isSentTo(path))).toEqual([]);
    });

    test('true for an active subscription resets its failure count', async () => {
      const fixture = await createFixture('/failing');
      await fixture.fire();
      await untilDeliveries(fixture.live, fixture.created, ([delivery]) => delivery.attemptCount === 2);
      expect((await fixture.get()).consecutiveFailureCount).toBe(2);
      expect((await fixture.change({ isActive: true })).body.consecutiveFailureCount).toBe(0);
    });
  });

  describe('403: the key is a sandbox key and the subscription was created with a live key', () => {
    test('the request is refused with live_subscription, and the subscription does not change', async () => {
      const { created, change, get, sandbox } = await createFixture();
      const response = await change({ isActive: false, url: `${receiver.url}/elsewhere` }, sandbox);
      expect(response).toMatchObject(refused(403, 'live_subscription'));
      expect(await get()).toEqual(created);
    });
  });

  describe('422: an invalid request, or a blocked URL', () => {
    test.each([
      ['', 'an empty object', {}],
      ['', 'only a null member', { mode: null }],
      ['', 'a body that is an array', []],
      ['/url', 'an empty URL', { url: '' }],
      ['/url', 'a NUL in the URL', { url: 'http://127.0.0.1:9/\0' }],
      ['/eventTypes', 'an empty list of event types', { eventTypes: [] }],
      ['/eventTypes/0', 'an unknown event type', { eventTypes: ['asset.deleted'] }],
      ['/description', 'a description of 501 characters', { description: 'x'.repeat(501) }],
      ['/description', 'a NUL in the description', { description: '\0' }],
      ['/mode', 'an unknown mode', { mode: 'test' }],
      ['/maxRequestsPerSecond', 'a rate limit of 0', { maxRequestsPerSecond: 0 }],
      ['/maxRequestsPerSecond', 'a rate limit that is a string', { maxRequestsPerSecond: '5' }],
      ['/isActive', 'an isActive that is a string', { isActive: 'yes' }],
      ['/secret', 'a secret', { description: 'x', secret: 'mine' }],
      ['/disabledReason', 'a disabledReason', { description: 'x', disabledReason: null }],
    ])('validation_failed points to "%s" for %s', async (pointer, _, json) => {
      const fixture = await createFixture();
      expect(await fixture.change(json)).toMatchObject(refused(422, 'validation_failed', pointer));
      expect(await fixture.get()).toEqual(fixture.created);
    });

    test.each(['http://example.com/', 'https://10.0.0.1/x', 'https://user@1.1.1.1/'])(
      'the URL %s is refused with url_not_allowed, and nothing changes',
      async (url) => {
        const fixture = await createFixture();
        expect(await fixture.change({ url, isActive: false })).toMatchObject(refused(422, 'url_not_allowed', '/url'));
        expect(await fixture.get()).toEqual(fixture.created);
      },
    );
  });
});
