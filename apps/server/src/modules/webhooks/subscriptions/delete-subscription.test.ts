import { liftedLimits, openTestApi, openTestWorker, openWorkspace } from '@assay/testing/service/api.ts';
import { openReceiver } from '@assay/testing/service/receiver.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import {
  fire,
  subscribe,
  subscriptionPath,
  untilDeliveries,
  untilEngineIsDone,
} from '@assay/testing/service/webhooks.ts';
import { afterAll, describe, expect, test } from 'vitest';

const settings = { ...liftedLimits, WORKER_QUEUES: 'webhook', WEBHOOK_WAITS_SECONDS: `0,3${',3600'.repeat(8)}` };
const api = await openTestApi(settings);
await openTestWorker(api.config);
const { live, sandbox } = await openWorkspace(api);
const receiver = await openReceiver(({ path }, response) => {
  response.statusCode = path === '/failing' ? 500 : 200;
  response.end();
});
afterAll(() => receiver.close());
const { submissionId } = await submit(sandbox, [await uploadText(sandbox)]);

describe('DELETE /webhooks/subscriptions/{subscription_id}', () => {
  describe('204: the subscription is deleted', () => {
    test.each([
      ['live', live],
      ['sandbox', sandbox],
    ])(
      'a subscription deleted with a %s key can no longer be read, and other subscriptions remain (§4.11a)',
      async (_, client) => {
        const [one, other] = [await subscribe(client, receiver.url), await subscribe(live, receiver.url)];
        const { status, body } = await client.delete(subscriptionPath(one));
        expect(status).toBe(204);
        expect(body).toBe('');
        expect(await live.get(subscriptionPath(one))).toMatchObject({ status: 404 });
        expect(await live.get(`${subscriptionPath(one)}/deliveries`)).toMatchObject({ status: 404 });
        const { subscriptions } = (await live.get('/webhooks/subscriptions')).body;
        const ids = subscriptions.map(({ subscriptionId }: { subscriptionId: string }) => subscriptionId);
        expect(ids).toContain(other.subscriptionId);
        expect(ids).not.toContain(one.subscriptionId);
        await live.delete(subscriptionPath(other));
      },
    );

    test('a deleted subscription receives nothing more, not even retries, and other subscriptions are not affected', async () => {
      const [one, other] = [await subscribe(live, `${receiver.url}/failing`), await subscribe(live, receiver.url)];
      await fire(sandbox, submissionId);
      const [delivery] = await untilDeliveries(live, one, ([first]) => first?.attemptCount === 1);
      await live.delete(subscriptionPath(one));
      expect(await fire(sandbox, submissionId)).toBe(1);
      await receiver.until(2, ({ path }) => path === '/');
      await untilEngineIsDone(api.handles, delivery);
      expect(receiver.received.filter(({ path }) => path === '/failing')).toHaveLength(1);
      const { status } = await api.handles.db
        .selectFrom('deliveries')
        .select('status')
        .where('delivery_id', '=', delivery.deliveryId)
        .executeTakeFirstOrThrow();
      expect(status).toBe('cancelled');
      await live.delete(subscriptionPath(other));
    });
  });

  describe('403: the key is a sandbox key and the subscription was created with a live key', () => {
    test('the request is refused with live_subscription, and the subscription is not deleted', async () => {
      const one = await subscribe(live, receiver.url);
      expect(await sandbox.delete(subscriptionPath(one))).toMatchObject(refused(403, 'live_subscription'));
      expect(await live.get(subscriptionPath(one))).toMatchObject({ status: 200 });
    });
  });

  describe('404: the subscription is not in the workspace', () => {
    test('one of two concurrent requests deletes the subscription, and the other gets 404', async () => {
      const one = await subscribe(live, receiver.url);
      const responses = await Promise.all([live.delete(subscriptionPath(one)), live.delete(subscriptionPath(one))]);
      expect(responses.map(({ status }) => status).sort()).toEqual([204, 404]);
    });
  });
});
