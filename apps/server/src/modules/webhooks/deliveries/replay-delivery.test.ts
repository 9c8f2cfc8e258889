import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { liftedLimits, openTestApi, openTestWorker, openWorkspace } from '@assay/testing/service/api.ts';
import { openReceiver, type ReceivedRequest } from '@assay/testing/service/receiver.ts';
import { refused } from '@assay/testing/service/refused.ts';
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
async function createFixture() {
  const { live, sandbox } = await openWorkspace(api);
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
      const { delivery, replay, untilArrived } = await createFixture();
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
      const { subscription, replay, untilArrived } = await createFixture();
      await sleep(1100); // timestamps are in seconds
      await replay();
      const [first, second] = (await untilArrived(2)) as [ReceivedRequest, ReceivedRequest];
      expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
      expect(second.body).toBe(first.body);
      expect(Number(second.headers['webhook-timestamp'])).toBeGreaterThan(Number(first.headers['webhook-timestamp']));
      expect(second.headers['webhook-signature']).not.toBe(first.headers['webhook-signature']);
      new Webhook(subscription.secret).verify(second.body, second.headers);
    });

    test('the first attempt of the replay is manual, and the old delivery does not change', async () => {
      const { delivery, replay, history, untilArrived } = await createFixture();
      const { body } = await replay();
      await untilArrived(2);
      const [replayed, old] = await history();
      expect(old).toEqual(delivery);
      expect(replayed).toMatchObject({ deliveryId: body.deliveryId, status: 'succeeded', isReplay: true });
      expect(replayed.attempts).toMatchObject([{ attemptNumber: 1, trigger: 'manual', responseStatus: 200 }]);
    });

    test('the replay has its own automatic retries', async () => {
      const { delivery, replay, history } = await createFixture();
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
      const { live, subscription, replay, untilArrived } = await createFixture();
      const path = `/${randomUUID()}`;
      await live.patch(subscriptionPath(subscription), { url: receiver.url + path });
      const { body } = await live.post(`${subscriptionPath(subscription)}/rotate-secret`, { graceSeconds: 0 });
      await replay();
      const [, second] = (await untilArrived(2)) as [ReceivedRequest, ReceivedRequest];
      expect(second.path).toBe(path);
      new Webhook(body.secret).verify(second.body, second.headers);
    });

    test('an event whose type the subscription no longer includes is still replayed', async () => {
      const { live, subscription, replay, untilArrived } = await createFixture();
      await live.patch(subscriptionPath(subscription), { eventTypes: ['asset.processing.failed'], mode: 'live' });
      expect(await replay()).toMatchObject({ status: 202 });
      await untilArrived(2);
    });

    test('a replay can be replayed', async () => {
      const { live, subscription, replay, history, untilArrived } = await createFixture();
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
      const { live, path } = await createFixture();
      expect(await live.send('POST', path, request)).toMatchObject({ status: 202 });
    });
  });

  describe('403: the key is a sandbox key and the subscription was created with a live key', () => {
    test('the request is refused with live_subscription, and nothing is replayed', async () => {
      const { sandbox, path, history } = await createFixture();
      expect(await sandbox.post(path)).toMatchObject(refused(403, 'live_subscription'));
      expect(await history()).toHaveLength(1);
    });
  });

  describe('404: the delivery or its subscription does not exist', () => {
    test('subscription_not_found is returned for a subscription of another workspace, and nothing is replayed', async () => {
      const [mine, theirs] = [await createFixture(), await createFixture()];
      expect(await mine.live.post(theirs.path)).toMatchObject(refused(404, 'subscription_not_found'));
      expect(await theirs.history()).toHaveLength(1);
    });
  });

  describe('409: the subscription is inactive, or the Idempotency-Key is in use', () => {
    test('subscription_inactive is returned until the subscription is reactivated', async () => {
      const { live, subscription, replay, history } = await createFixture();
      await live.patch(subscriptionPath(subscription), { isActive: false });
      expect(await replay()).toMatchObject(refused(409, 'subscription_inactive'));
      expect(await history()).toHaveLength(1);
      await live.patch(subscriptionPath(subscription), { isActive: true });
      expect(await replay()).toMatchObject({ status: 202 });
    });
  });

  describe('422: an invalid request', () => {
    test.each([
      ['an unknown member', { url: 'http://127.0.0.1:9/' }],
      ['a body that is an array', []],
      ['a body that is a string', 'now'],
    ])('a request with %s is refused with validation_failed', async (_, json) => {
      const { live, path, history } = await createFixture();
      expect(await live.post(path, json)).toMatchObject(refused(422, 'validation_failed'));
      expect(await history()).toHaveLength(1);
    });
  });
});
