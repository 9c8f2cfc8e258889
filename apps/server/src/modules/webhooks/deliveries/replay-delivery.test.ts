import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import { openReceiver, type Received } from '@assay/testing/service/receiver.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { fire, isNonePending, subscribe, subscriptionPath, untilDeliveries } from '@assay/testing/service/webhooks.ts';
import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, test } from 'vitest';

const settings = { ...liftedLimits, WORKER_QUEUES: 'webhook', WEBHOOK_WAITS_SECONDS: `0${',0.1'.repeat(9)}` };
const api = await openTestApi(settings);
await openTestWorker(api.config);
const receiver = await openReceiver();
afterAll(() => receiver.close());

/** A workspace with one subscription and one delivered event. */
async function openScene() {
  const workspace = await api.makeWorkspace();
  const live = api.client(workspace.liveKey);
  const sandbox = api.client(workspace.sandboxKey);
  const subscription = await subscribe(live, `${receiver.url}/${randomUUID()}`);
  const { submissionId } = await submit(sandbox, [await uploadText(sandbox)]);
  await fire(sandbox, submissionId);
  const [delivery] = await untilDeliveries(live, subscription, isNonePending);
  const path = replayPath(subscription, delivery);
  return {
    live,
    sandbox,
    subscription,
    delivery,
    path,
    replay: (request: { headers?: Record<string, string> } = {}) => live.post(path, undefined, request),
    history: () => untilDeliveries(live, subscription, isNonePending),
    untilArrived: (count: number) => receiver.until(count, ({ event }) => event.id === delivery.eventId),
  };
}

function replayPath(subscription: { subscriptionId: string }, { deliveryId }: { deliveryId: string }): string {
  return `${subscriptionPath(subscription)}/deliveries/${deliveryId}/replay`;
}

describe('POST /webhooks/subscriptions/{subscription_id}/deliveries/{delivery_id}/replay', () => {
  describe('202: the event is sent again', () => {
    test('the response is a new pending delivery of the same event', async () => {
      const { delivery, replay, untilArrived } = await openScene();
      const { status, body } = await replay();
      expect(status).toBe(202);
      const { payload, attempts, ...before } = delivery;
      expect(body).toEqual({
        ...before,
        deliveryId: expect.any(String),
        status: 'pending',
        attemptCount: 0,
        nextAttemptAt: expect.any(String),
        lastResponseStatus: null,
        isReplay: true,
        createdAt: expect.any(String),
        completedAt: null,
      });
      expect(body.deliveryId).not.toBe(delivery.deliveryId);
      await untilArrived(2);
    });

    test('the replay has the same webhook-id and exactly the same bytes, with a new signature', async () => {
      const { subscription, replay, untilArrived } = await openScene();
      await sleep(1100); // timestamps are in seconds
      await replay();
      const [first, second] = (await untilArrived(2)) as [Received, Received];
      expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
      expect(second.body).toBe(first.body);
      expect(Number(second.headers['webhook-timestamp'])).toBeGreaterThan(Number(first.headers['webhook-timestamp']));
      expect(second.headers['webhook-signature']).not.toBe(first.headers['webhook-signature']);
      new Webhook(subscription.secret).verify(second.body, second.headers);
    });

    test('the first attempt of the replay is manual, and the old delivery does not change', async () => {
      const { delivery, replay, history, untilArrived } = await openScene();
      const { body } = await replay();
      await untilArrived(2);
      const [replayed, old] = await history();
      expect(old).toEqual(delivery);
      expect(replayed).toMatchObject({ deliveryId: body.deliveryId, status: 'succeeded', isReplay: true });
      expect(replayed.attempts).toMatchObject([{ attemptNumber: 1, trigger: 'manual', responseStatus: 200 }]);
    });

    test('the replay has its own automatic retries', async () => {
      const { delivery, replay, history } = await openScene();
      let turn = 0;
      receiver.answerWith(({ event }, response) => {
        if (event.id === delivery.eventId) response.statusCode = ++turn < 3 ? 500 : 200;
        response.end();
      });
      await replay();
      const [replayed] = await history();
      expect(replayed).toMatchObject({ status: 'succeeded', attemptCount: 3, maxAttempts: 10 });
      const triggers = replayed.attempts.map(({ trigger }: { trigger: string }) => trigger);
      expect(triggers).toEqual(['manual', 'automatic', 'automatic']);
    });

    test('the replay is sent to the current URL and signed with the current secret', async () => {
      const { live, subscription, replay, untilArrived } = await openScene();
      const path = `/${randomUUID()}`;
      await live.patch(subscriptionPath(subscription), { url: receiver.url + path });
      const { body } = await live.post(`${subscriptionPath(subscription)}/rotate-secret`, { graceSeconds: 0 });
      await replay();
      const [, second] = (await untilArrived(2)) as [Received, Received];
      expect(second.path).toBe(path);
      new Webhook(body.secret).verify(second.body, second.headers);
    });

    test('an event whose type the subscription no longer includes is still replayed', async () => {
      const { live, subscription, replay, untilArrived } = await openScene();
      await live.patch(subscriptionPath(subscription), { eventTypes: ['asset.processing.failed'], mode: 'live' });
      expect(await replay()).toMatchObject({ status: 202 });
      await untilArrived(2);
    });

    test('a replay can be replayed', async () => {
      const { live, subscription, replay, history, untilArrived } = await openScene();
      const { body } = await replay();
      await history();
      expect(await live.post(replayPath(subscription, body))).toMatchObject({ status: 202, body: { isReplay: true } });
      await untilArrived(3);
    });

    test.each([
      ['no body', {}],
      ['an empty JSON body', { body: '', headers: { 'content-type': 'application/json' } }],
      ['an empty object', { json: {} }],
    ])('a request with %s is accepted', async (_, request) => {
      const { live, path } = await openScene();
      expect(await live.send('POST', path, request)).toMatchObject({ status: 202 });
    });

    test('a repeated request with the same Idempotency-Key replays nothing twice', async () => {
      const { replay, history, untilArrived } = await openScene();
      const headers = { 'idempotency-key': randomUUID() };
      const [first, second] = [await replay({ headers }), await replay({ headers })];
      expect([first.status, second.status]).toEqual([202, 202]);
      expect(second.headers.get('idempotency-replayed')).toBe('true');
      expect(second.body).toEqual(first.body);
      await untilArrived(2);
      expect(await history()).toHaveLength(2);
    });
  });

  describe('403: a sandbox key for a subscription of a live key', () => {
    test('the request is refused with live_subscription, and nothing is replayed', async () => {
      const { sandbox, path, history } = await openScene();
      expect(await sandbox.post(path)).toMatchObject({ status: 403, body: { code: 'live_subscription' } });
      expect(await history()).toHaveLength(1);
    });
  });

  describe('404: the delivery or its subscription does not exist', () => {
    test('an unknown delivery or one to another subscription results in delivery_not_found', async () => {
      const { live, subscription, delivery } = await openScene();
      const other = await subscribe(live, receiver.url);
      for (const path of [replayPath(subscription, { deliveryId: randomUUID() }), replayPath(other, delivery)]) {
        expect(await live.post(path)).toMatchObject({ status: 404, body: { code: 'delivery_not_found' } });
      }
      const { body } = await live.get(`${subscriptionPath(other)}/deliveries`);
      expect(body.deliveries).toEqual([]);
    });

    test('a subscription of another workspace results in subscription_not_found and no replay', async () => {
      const [mine, theirs] = [await openScene(), await openScene()];
      const answer = await mine.live.post(theirs.path);
      expect(answer).toMatchObject({ status: 404, body: { code: 'subscription_not_found' } });
      expect(await theirs.history()).toHaveLength(1);
    });
  });

  describe('409: the subscription is inactive, or the Idempotency-Key is in use', () => {
    test('an inactive subscription is refused with subscription_inactive until it is reactivated', async () => {
      const { live, subscription, replay, history } = await openScene();
      await live.patch(subscriptionPath(subscription), { isActive: false });
      expect(await replay()).toMatchObject({ status: 409, body: { code: 'subscription_inactive' } });
      expect(await history()).toHaveLength(1);
      await live.patch(subscriptionPath(subscription), { isActive: true });
      expect(await replay()).toMatchObject({ status: 202 });
    });

    test('delivery_not_found takes precedence over subscription_inactive', async () => {
      const { live, subscription } = await openScene();
      await live.patch(subscriptionPath(subscription), { isActive: false });
      const answer = await live.post(replayPath(subscription, { deliveryId: randomUUID() }));
      expect(answer).toMatchObject({ status: 404, body: { code: 'delivery_not_found' } });
    });

    test('concurrent requests with one key cause one replay and get 202 or idempotency_in_flight', async () => {
      const { replay, history, untilArrived } = await openScene();
      const headers = { 'idempotency-key': randomUUID() };
      const answers = await Promise.all(Array.from({ length: 16 }, () => replay({ headers })));
      const others = answers.filter(({ status }) => status !== 202);
      expect(others.map(({ body }) => body.code)).toEqual(others.map(() => 'idempotency_in_flight'));
      await untilArrived(2);
      expect(await history()).toHaveLength(2);
    });
  });

  describe('422: an invalid request', () => {
    test.each([[{ url: 'http://127.0.0.1:9/' }], [[]], ['now']])(
      'the body %j is refused with validation_failed',
      async (json) => {
        const { live, path, history } = await openScene();
        expect(await live.post(path, json)).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
        expect(await history()).toHaveLength(1);
      },
    );

    test('an id that is not a UUID is refused with validation_failed', async () => {
      const { live, subscription } = await openScene();
      const answer = await live.post(replayPath(subscription, { deliveryId: '1' }));
      expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
    });

    test('a key that was used for another replay is refused with idempotency_key_reused', async () => {
      const { live, subscription, replay, history } = await openScene();
      const headers = { 'idempotency-key': randomUUID() };
      const { body } = await replay({ headers });
      const answer = await live.post(replayPath(subscription, body), undefined, { headers });
      expect(answer).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
      expect(await history()).toHaveLength(2);
    });
  });
});
