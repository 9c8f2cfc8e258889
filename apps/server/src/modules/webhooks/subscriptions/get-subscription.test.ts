import { liftedLimits, openTestApi, openTestWorker, openWorkspace } from '@assay/testing/service/api.ts';
import { openReceiver } from '@assay/testing/service/receiver.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { fire, isNonePending, subscribe, subscriptionPath, untilDeliveries } from '@assay/testing/service/webhooks.ts';
import { afterAll, describe, expect, test } from 'vitest';

const api = await openTestApi({
  ...liftedLimits,
  WORKER_QUEUES: 'webhook',
  WEBHOOK_WAITS_SECONDS: `0${',0.1'.repeat(9)}`,
});
await openTestWorker(api.config);
const { live, sandbox } = await openWorkspace(api);
const receiver = await openReceiver();
afterAll(() => receiver.close());
const { submissionId } = await submit(sandbox, [await uploadText(sandbox)]);

const getSubscription = async (subscription: { subscriptionId: string }) =>
  (await live.get(subscriptionPath(subscription))).body;

describe('GET /webhooks/subscriptions/{subscription_id}', () => {
  describe('200: the subscription', () => {
    test('the response is the same as at creation, without the secret (§2.5f)', async () => {
      const { secret, ...created } = await subscribe(live, receiver.url, { description: 'x', maxRequestsPerSecond: 7 });
      const { status, body } = await live.get(subscriptionPath(created));
      expect(status).toBe(200);
      expect(body).toEqual(created);
    });

    test('a live key and a sandbox key of the workspace can read the subscription, also by an id in capital letters', async () => {
      const created = await subscribe(live, receiver.url);
      const { body } = await sandbox.get(subscriptionPath({ subscriptionId: created.subscriptionId.toUpperCase() }));
      expect(body).toEqual(await getSubscription(created));
    });

    test('the response includes the times of the last attempt and the last success', async () => {
      const created = await subscribe(live, receiver.url);
      expect(await getSubscription(created)).toMatchObject({ lastDeliveryAt: null, lastSuccessAt: null });
      await fire(sandbox, submissionId);
      const [delivery] = await untilDeliveries(live, created, isNonePending);
      const { lastDeliveryAt, lastSuccessAt } = await getSubscription(created);
      expect(lastDeliveryAt).toBe(delivery.completedAt);
      expect(lastSuccessAt).toBe(delivery.completedAt);
      await live.delete(subscriptionPath(created));
    });

    test('the response includes the number of failed attempts since the last success', async () => {
      const created = await subscribe(live, `${receiver.url}/failing`);
      receiver.answerWith(({ path }, response) => {
        response.statusCode = path === '/failing' ? 500 : 200;
        response.end();
      });
      await fire(sandbox, submissionId);
      await untilDeliveries(live, created, ([delivery]) => delivery.status === 'failed');
      const failing = await getSubscription(created);
      expect(failing).toMatchObject({ consecutiveFailureCount: 10, lastSuccessAt: null, isActive: true });
      expect(failing.lastDeliveryAt).not.toBeNull();
      receiver.answerWith((_, response) => response.end());
      await fire(sandbox, submissionId);
      await untilDeliveries(live, created, ([delivery]) => delivery.status === 'succeeded');
      expect(await getSubscription(created)).toMatchObject({
        consecutiveFailureCount: 0,
        lastSuccessAt: expect.any(String),
      });
      await live.delete(subscriptionPath(created));
    });
  });
});
