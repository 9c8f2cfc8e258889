import { randomUUID } from 'node:crypto';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import { openReceiver } from '@assay/testing/service/receiver.ts';
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
const workspace = await api.makeWorkspace();
const live = api.client(workspace.liveKey);
const sandbox = api.client(workspace.sandboxKey);
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
    ])('a subscription deleted with a %s key can no longer be read, and others remain (§4.11a)', async (_, client) => {
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
    });

    test('a deleted subscription receives nothing more, not even retries, and others are not affected', async () => {
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

  describe('403: a sandbox key for a subscription of a live key', () => {
    test('the request is refused with live_subscription, and the subscription is not deleted', async () => {
      const one = await subscribe(live, receiver.url);
      const answer = await sandbox.delete(subscriptionPath(one));
      expect(answer).toMatchObject({ status: 403, body: { code: 'live_subscription' } });
      expect(await live.get(subscriptionPath(one))).toMatchObject({ status: 200 });
    });
  });

  describe('404: the subscription is not in the workspace', () => {
    test('a subscription that is unknown or already deleted results in subscription_not_found', async () => {
      const one = await subscribe(live, receiver.url);
      await live.delete(subscriptionPath(one));
      for (const subscriptionId of [one.subscriptionId, randomUUID()]) {
        const answer = await live.delete(subscriptionPath({ subscriptionId }));
        expect(answer).toMatchObject({ status: 404, body: { code: 'subscription_not_found' } });
      }
    });

    test('a subscription of another workspace results in subscription_not_found and is not deleted', async () => {
      const stranger = api.client((await api.makeWorkspace()).liveKey);
      const theirs = await subscribe(stranger, receiver.url);
      const answer = await live.delete(subscriptionPath(theirs));
      expect(answer).toMatchObject({ status: 404, body: { code: 'subscription_not_found' } });
      expect(await stranger.get(subscriptionPath(theirs))).toMatchObject({ status: 200 });
    });

    test('one of two concurrent requests deletes the subscription, and the other gets 404', async () => {
      const one = await subscribe(live, receiver.url);
      const answers = await Promise.all([live.delete(subscriptionPath(one)), live.delete(subscriptionPath(one))]);
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
    });
  });

  describe('422: an invalid request', () => {
    test('an id that is not a UUID is refused with validation_failed', async () => {
      const answer = await live.delete('/webhooks/subscriptions/1');
      expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
    });
  });
});
