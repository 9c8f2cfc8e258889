import { randomUUID } from 'node:crypto';
import { Event } from '@assay/contract/schemas/event.ts';
import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import { openReceiver, type ReceivedRequest } from '@assay/testing/service/receiver.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { subscribe, subscriptionPath } from '@assay/testing/service/webhooks.ts';
import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, test } from 'vitest';

const api = await openTestApi(liftedLimits);
const receiver = await openReceiver(({ path }, response) => {
  response.statusCode = { '/broken': 500, '/gone': 410 }[path] ?? 200;
  response.end(`at ${path}`);
});
afterAll(() => receiver.close());

/** A subscription in a new workspace. */
async function createFixture(url = `${receiver.url}/${randomUUID()}`, rest: object = {}) {
  const workspace = await api.makeWorkspace();
  const live = api.client(workspace.liveKey);
  const subscription = await subscribe(live, url, rest);
  const path = subscriptionPath(subscription);
  return {
    workspace,
    live,
    subscription,
    url,
    send: (json?: unknown, by = live) => by.post(`${path}/test`, json),
    get: async () => (await live.get(path)).body,
    async history() {
      const { body } = await live.get(`${path}/deliveries`);
      const ids = body.deliveries.map(({ deliveryId }: { deliveryId: string }) => deliveryId);
      const details = ids.map(async (id: string) => (await live.get(`${path}/deliveries/${id}`)).body);
      return Promise.all(details);
    },
    arrived: () => receiver.received.filter((one) => one.path === new URL(url).pathname),
  };
}

describe('POST /webhooks/subscriptions/{subscription_id}/test', () => {
  describe('200: the attempt, whatever its result', () => {
    test('a successful attempt shows the status and body that the receiver returned', async () => {
      const fixture = await createFixture();
      const { status, body } = await fixture.send();
      expect(status).toBe(200);
      expect(body).toEqual({
        attemptNumber: 1,
        trigger: 'test',
        url: fixture.url,
        startedAt: expect.any(String),
        durationMs: expect.any(Number),
        responseStatus: 200,
        responseBody: `at ${new URL(fixture.url).pathname}`,
        errorCode: null,
        errorMessage: null,
      });
    });

    test('a failed attempt is returned with 200 too', async () => {
      const { status, body } = await (await createFixture(`${receiver.url}/broken`)).send();
      expect(status).toBe(200);
      const failure = { responseStatus: 500, responseBody: 'at /broken', errorCode: 'http_status' };
      expect(body).toMatchObject({ trigger: 'test', ...failure, errorMessage: expect.any(String) });
    });

    test.each([
      ['no body', {}],
      ['an empty JSON body', { body: '', headers: { 'content-type': 'application/json' } }],
      ['an empty object', { json: {} }],
    ])('a request with %s is accepted', async (_, request) => {
      const { live, subscription } = await createFixture();
      const response = await live.send('POST', `${subscriptionPath(subscription)}/test`, request);
      expect(response).toMatchObject({ status: 200 });
    });

    test('a sandbox key can test a subscription that was created with a sandbox key', async () => {
      const fixture = await createFixture();
      const sandbox = api.client(fixture.workspace.sandboxKey);
      const made = await subscribe(sandbox, fixture.url);
      expect(await sandbox.post(`${subscriptionPath(made)}/test`)).toMatchObject({ status: 200 });
    });
  });

  describe('200: the sample event', () => {
    test.each(['asset.processing.completed', 'asset.processing.failed'] as const)(
      'is a signed sandbox event of the first type of the subscription, %s (§2c)',
      async (first) => {
        const other = first.endsWith('failed') ? 'asset.processing.completed' : 'asset.processing.failed';
        const fixture = await createFixture(undefined, { eventTypes: [first, other], mode: 'live' });
        await fixture.send();
        const [sample, ...more] = fixture.arrived() as [ReceivedRequest];
        expect(more).toEqual([]);
        new Webhook(fixture.subscription.secret).verify(sample.body, sample.headers);
        expect(sample.headers['webhook-id']).toBe(sample.event.id);
        expect(sample.headers['content-type']).toBe('application/json');
        expect(Event.parse(sample.event)).toEqual(sample.event);
        expect(sample.event).toMatchObject({ type: first, livemode: false });
        expect(sample.event.data.workspace_id).toBe(fixture.workspace.workspaceId);
        for (const name of Object.keys(sample.event.data)) expect(name).toMatch(/^[a-z_]+$/);
      },
    );

    test('is a new event each time', async () => {
      const fixture = await createFixture();
      await fixture.send();
      await fixture.send();
      expect(new Set(fixture.arrived().map(({ event }) => event.id)).size).toBe(2);
    });
  });

  describe('200: the test is recorded without an effect on the subscription', () => {
    test('a failed test is listed with one attempt and no submission, and is not retried', async () => {
      const fixture = await createFixture(`${receiver.url}/broken`);
      const { body: attempt } = await fixture.send();
      const [delivery, ...more] = await fixture.history();
      expect(more).toEqual([]);
      expect(delivery).toMatchObject({
        status: 'failed',
        attemptCount: 1,
        maxAttempts: 1,
        nextAttemptAt: null,
        lastResponseStatus: 500,
        isReplay: false,
        livemode: false,
        submissionId: null,
        assetId: null,
        attempts: [attempt],
      });
      expect(delivery.payload.id).toBe(delivery.eventId);
      expect(delivery.completedAt).not.toBeNull();
    });

    test('a successful test is listed as succeeded', async () => {
      const fixture = await createFixture();
      const { body: attempt } = await fixture.send();
      expect(await fixture.history()).toMatchObject([{ status: 'succeeded', attempts: [attempt] }]);
    });

    test.each(['/broken', '/gone', '/valid'])('a test at %s does not change the subscription', async (path) => {
      const fixture = await createFixture(receiver.url + path);
      const before = await fixture.get();
      await fixture.send();
      expect(await fixture.get()).toEqual(before);
    });

    test('a test is also sent to an inactive subscription, which stays inactive', async () => {
      const fixture = await createFixture();
      await fixture.live.patch(subscriptionPath(fixture.subscription), { isActive: false });
      expect(await fixture.send()).toMatchObject({ status: 200, body: { responseStatus: 200 } });
      expect(fixture.arrived()).toHaveLength(1);
      expect(await fixture.get()).toMatchObject({ isActive: false });
    });
  });

  describe('403: the key is a sandbox key and the subscription was created with a live key', () => {
    test('the request is refused with live_subscription, and nothing is sent', async () => {
      const fixture = await createFixture();
      const response = await fixture.send(undefined, api.client(fixture.workspace.sandboxKey));
      expect(response).toMatchObject(refused(403, 'live_subscription'));
      expect(fixture.arrived()).toEqual([]);
    });
  });

  describe('404: the subscription is not in the workspace', () => {
    test('subscription_not_found is returned for a subscription of another workspace, and nothing is sent', async () => {
      const [mine, theirs] = [await createFixture(), await createFixture()];
      const path = `${subscriptionPath(theirs.subscription)}/test`;
      expect(await mine.live.post(path)).toMatchObject(refused(404, 'subscription_not_found'));
      expect(theirs.arrived()).toEqual([]);
    });
  });

  describe('422: an invalid request', () => {
    test.each([
      ['an unknown member', { eventType: 'asset.processing.failed' }],
      ['a body that is an array', []],
      ['a body that is a string', 'now'],
    ])('a request with %s is refused with validation_failed', async (_, json) => {
      const fixture = await createFixture();
      expect(await fixture.send(json)).toMatchObject(refused(422, 'validation_failed'));
      expect(fixture.arrived()).toEqual([]);
    });
  });
});
