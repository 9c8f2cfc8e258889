import { randomUUID } from 'node:crypto';
import { liftedLimits, openTestApi, openTestWorker, openWorkspace } from '@assay/testing/service/api.ts';
import { openReceiver } from '@assay/testing/service/receiver.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { fire, isNonePending, subscribe, subscriptionPath, untilDeliveries } from '@assay/testing/service/webhooks.ts';
import { afterAll, describe, expect, test } from 'vitest';

const settings = { ...liftedLimits, WORKER_QUEUES: 'webhook', WEBHOOK_WAITS_SECONDS: `0${',0.1'.repeat(9)}` };
const api = await openTestApi(settings);
await openTestWorker(api.config);
const receiver = await openReceiver();
afterAll(() => receiver.close());

/** A workspace with one subscription and one event that was fired for it. */
async function createFixture(rest: object = {}) {
  const { live, sandbox, ...workspace } = await openWorkspace(api);
  const subscription = await subscribe(live, `${receiver.url}/${randomUUID()}`, rest);
  const created = await submit(sandbox, [await uploadText(sandbox)]);
  await fire(sandbox, created.submissionId);
  const [delivery] = await untilDeliveries(live, subscription, isNonePending);
  return { workspace, live, sandbox, subscription, created, delivery, path: pathOf(subscription, delivery) };
}

function pathOf(subscription: { subscriptionId: string }, { deliveryId }: { deliveryId: string }): string {
  return `${subscriptionPath(subscription)}/deliveries/${deliveryId}`;
}

const readLastResponseBody = async (
  live: { get(path: string): Promise<{ body: { attempts: { responseBody: string }[] } }> },
  path: string,
) => (await live.get(path)).body.attempts.at(-1)?.responseBody as string;

describe('GET /webhooks/subscriptions/{subscription_id}/deliveries/{delivery_id}', () => {
  describe('200: the delivery', () => {
    test('the delivery has the same fields as in the list, and the payload that was sent (§4.11a)', async () => {
      receiver.answerWith((_, response) => response.end('thank you'));
      const { live, subscription, path } = await createFixture();
      const { status, body } = await live.get(path);
      expect(status).toBe(200);
      const { payload, attempts, ...delivery } = body;
      const { deliveries } = (await live.get(`${subscriptionPath(subscription)}/deliveries`)).body;
      expect(deliveries).toEqual([delivery]);
      const arrived = receiver.received.find(({ event }) => event.id === delivery.eventId);
      expect(payload).toEqual(arrived?.event);
      expect(delivery).toMatchObject({ status: 'succeeded', attemptCount: 1, lastResponseStatus: 200 });
      expect(attempts).toEqual([
        {
          attemptNumber: 1,
          trigger: 'automatic',
          url: `${receiver.url}${arrived?.path}`,
          startedAt: expect.any(String),
          durationMs: expect.any(Number),
          responseStatus: 200,
          responseBody: 'thank you',
          errorCode: null,
          errorMessage: null,
        },
      ]);
    });

    test('the attempts are listed in order, each with its own status and response', async () => {
      const statuses = [500, 429, 302, 404, 201];
      let turn = 0;
      receiver.answerWith((_, response) => {
        response.statusCode = statuses[turn] as number;
        response.end(`turn ${++turn}`);
      });
      const { delivery } = await createFixture();
      expect(delivery).toMatchObject({ status: 'succeeded', attemptCount: 5, lastResponseStatus: 201 });
      expect(delivery.attempts).toMatchObject([
        { attemptNumber: 1, responseStatus: 500, responseBody: 'turn 1', errorCode: 'http_status' },
        { attemptNumber: 2, responseStatus: 429, responseBody: 'turn 2', errorCode: 'http_status' },
        { attemptNumber: 3, responseStatus: 302, responseBody: 'turn 3', errorCode: 'redirect' },
        { attemptNumber: 4, responseStatus: 404, responseBody: 'turn 4', errorCode: 'http_status' },
        { attemptNumber: 5, responseStatus: 201, responseBody: 'turn 5', errorCode: null, errorMessage: null },
      ]);
      const moments = delivery.attempts.map(({ startedAt }: { startedAt: string }) => startedAt);
      expect(moments).toEqual(moments.toSorted());
    });

    test('NUL, invalid UTF-8 and truncated characters in a response are replaced before it is stored', async () => {
      const cut = Buffer.concat([Buffer.from('a\0b'), Buffer.from([0xff, 0xc3]), Buffer.from('ü'.repeat(3000))]);
      receiver.answerWith((_, response) => response.end(cut));
      const { live, path, delivery } = await createFixture();
      expect(delivery).toMatchObject({ status: 'succeeded', attemptCount: 1 });
      const body = await readLastResponseBody(live, path);
      expect(body).toMatch(/^a\uFFFDb\uFFFD\uFFFDü{2000}/);
      expect(body.isWellFormed()).toBe(true);
    });

    test('the live key and the sandbox key of the workspace get the same response', async () => {
      receiver.answerWith((_, response) => response.end());
      const { live, sandbox, path } = await createFixture();
      expect((await sandbox.get(path)).body).toEqual((await live.get(path)).body);
    });
  });
});
