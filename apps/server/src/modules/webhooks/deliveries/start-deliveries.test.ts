import { liftedLimits, openTestApi, testEnvironment } from '@assay/testing/service/api.ts';
import { startServerProcess } from '@assay/testing/service/api-process.ts';
import { openReceiver } from '@assay/testing/service/receiver.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { fire, isNonePending, subscribe, untilDeliveries } from '@assay/testing/service/webhooks.ts';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { startDeliveries } from './start-deliveries.ts';
import { sweepDeliveries } from './sweep-deliveries.ts';

const settings = { ...liftedLimits, WORKER_QUEUES: 'webhook', SWEEP_SECONDS: '3600' };
const api = await openTestApi(settings);
const workerEnvironment = testEnvironment({ ...settings, TEMPORAL_QUEUE_PREFIX: api.config.TEMPORAL_QUEUE_PREFIX });
const apiWithoutEngine = await openTestApi({ ...settings, TEMPORAL_ADDRESS: '127.0.0.1:9' });
let worker = await startServerProcess('worker', workerEnvironment);
afterAll(() => worker.stop('SIGKILL'));

async function createFixture(answer?: Parameters<typeof openReceiver>[0]) {
  const { sandboxKey } = await api.makeWorkspace();
  const sandbox = api.client(sandboxKey);
  const receiver = await openReceiver(answer);
  onTestFinished(() => receiver.close());
  const subscription = await subscribe(sandbox, receiver.url);
  const { submissionId } = await submit(sandbox, [await uploadText(sandbox)]);
  return { sandboxKey, sandbox, receiver, subscription, submissionId };
}

describe('an event', () => {
  test('that is fired while the engine is down is sent after the sweeper starts its delivery', async () => {
    const { sandboxKey, sandbox, receiver, subscription, submissionId } = await createFixture();
    expect(await fire(apiWithoutEngine.client(sandboxKey), submissionId)).toBe(1);
    const [pending] = await untilDeliveries(sandbox, subscription, (list) => list.length === 1);
    expect(pending).toMatchObject({ status: 'pending', attemptCount: 0 });
    const later = { now: () => new Date(Date.now() + 16_000) };
    await sweepDeliveries({ ...api.handles, clock: later }, AbortSignal.timeout(60_000));
    await receiver.until(1);
    await untilDeliveries(sandbox, subscription, isNonePending);
  });

  test('is sent once even if its delivery is started several times', async () => {
    const { sandbox, receiver, subscription, submissionId } = await createFixture(async (_, response) => {
      setTimeout(() => response.end(), 500);
    });
    await fire(sandbox, submissionId);
    await receiver.until(1);
    const [{ deliveryId }] = await untilDeliveries(sandbox, subscription, (list) => list.length === 1);
    const due = { deliveryId, subscriptionId: subscription.subscriptionId, workspaceId: '' as never };
    expect(await startDeliveries(api.handles, [due, due, due])).toHaveLength(3);
    await untilDeliveries(sandbox, subscription, isNonePending);
    expect(receiver.received).toHaveLength(1);
  });

  test.each([
    ['killed', 'SIGKILL'],
    ['stopped, which does not wait for a receiver that hangs', 'SIGTERM'],
  ] as const)(
    'is sent again with the same id by a second worker if the first is %s',
    async (_, signal) => {
      const { sandbox, receiver, subscription, submissionId } = await createFixture((_, response) => {
        if (receiver.received.length > 1) response.end(); // the first request hangs
      });
      await fire(sandbox, submissionId);
      await receiver.until(1);
      const stoppingAt = performance.now();
      await worker.stop(signal);
      expect((performance.now() - stoppingAt) / 1000, 'seconds until the worker has ended').toBeLessThan(10);
      worker = await startServerProcess('worker', workerEnvironment);
      const [first, second] = await receiver.until(2, undefined, 60);
      expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
      expect(second?.body).toBe(first?.body);
      const [delivery] = await untilDeliveries(sandbox, subscription, isNonePending);
      expect(delivery).toMatchObject({ status: 'succeeded', attemptCount: 1 });
    },
    90_000,
  );
});
