import { randomUUID } from 'node:crypto';
import { subscribe as onChannel, unsubscribe } from 'node:diagnostics_channel';
import { activityIdOf } from '@assay/server/modules/webhooks/deliveries/start-deliveries.ts';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import { openReceiver } from '@assay/testing/service/receiver.ts';
import { type Calls, recordCalls } from '@assay/testing/service/record-calls.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { fire, isNonePending, subscribe, untilDeliveries } from '@assay/testing/service/webhooks.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { expectNumbers } from './expect-cost.ts';

// What it costs the API, the worker and the engine together to deliver an event. The bench `webhooks` measures how long
// that takes.

const api = await openTestApi({
  ...liftedLimits,
  WORKER_QUEUES: 'webhook',
  SWEEP_SECONDS: '3600',
  WEBHOOK_WAITS_SECONDS: '0,0,0,0,0,0,0,0,0,0',
});
await openTestWorker(api.config);

async function openDeliveryScene({ subscriptions = 1, assets = 1 } = {}) {
  const receiver = await openReceiver();
  afterAll(() => receiver.close());
  const sandbox = api.client((await api.makeWorkspace()).sandboxKey);
  const [first] = await Promise.all(
    Array.from({ length: subscriptions }, (_, i) => subscribe(sandbox, `${receiver.url}/${i}`)),
  );
  const blobPaths = await Promise.all(Array.from({ length: assets }, () => uploadText(sandbox)));
  const { submissionId } = await submit(sandbox, blobPaths);
  return {
    receiver,
    /** Fires the events and records the calls until the database contains this many attempts. */
    fireAndRecord: (attemptCount: number) =>
      recordCalls(async (calls) => {
        await fire(sandbox, submissionId);
        await expect.poll(() => attemptsIn(calls)).toBe(attemptCount);
      }),
    /** The attempt count and the input of the first delivery, as the engine reports them. */
    async describeDelivery() {
      const [delivery] = await untilDeliveries(sandbox, first as { subscriptionId: string }, isNonePending);
      const handle = api.handles.workflows.client.activity.getHandle(activityIdOf(delivery));
      await handle.result();
      const described = await handle.describe({ includeInput: true });
      return { attempts: described.attempt, input: await described.getInput() };
    },
  };
}

const attemptsIn = ({ sql }: Calls) =>
  sql.filter(({ text }) => text.includes('attempt_count = attempt_count + 1')).length;

function countsOf({ sql, redis, engine }: Calls) {
  const statements = sql.filter(({ text }) => !text.includes('"api_keys"'));
  return { sql: statements.length, redis: redis.length, starts: engine.length };
}
const listOf = ({ sql, redis, engine }: Calls) => [
  ...sql.map(({ text }) => text.replaceAll(/\s+/g, ' ').slice(0, 160)),
  ...redis,
  ...engine,
];

// Retried, because on a busy machine Redis may not respond in time, and a delivery then does without Redis.
describe('what a delivery costs', { retry: 2 }, () => {
  test('a delivery that succeeds on the first attempt causes the expected number of calls', async () => {
    const scene = await openDeliveryScene();
    const calls = await scene.fireAndRecord(1);
    expectNumbers('delivered at once', countsOf(calls), { sql: 5 + 2, redis: 2 + 2, starts: 1 }, listOf(calls));
    const { attempts, input } = await scene.describeDelivery();
    expect([scene.receiver.received.length, attempts]).toEqual([1, 1]);
    const ids = JSON.stringify([{ workspaceId: randomUUID(), deliveryId: randomUUID() }]);
    expectNumbers('input of a delivery', { bytes: JSON.stringify(input).length }, { bytes: ids.length });
  });

  test('a delivery that succeeds on the second attempt causes the expected number of calls', async () => {
    const scene = await openDeliveryScene();
    scene.receiver.answerWith((_, response) => {
      response.writeHead(scene.receiver.received.length === 1 ? 500 : 200).end();
    });
    const calls = await scene.fireAndRecord(2);
    expectNumbers('at the second attempt', countsOf(calls), { sql: 5 + 4, redis: 2 + 4, starts: 1 }, listOf(calls));
    const { attempts } = await scene.describeDelivery();
    expect([scene.receiver.received.length, attempts]).toEqual([2, 2]);
  });

  test('the 20 deliveries of 5 events to 4 subscriptions are recorded together', async () => {
    const scene = await openDeliveryScene({ assets: 5, subscriptions: 4 });
    const calls = await scene.fireAndRecord(20);
    // Redis is left out, because deliveries that compete for a permit request it more than once.
    const { redis: _, ...counts } = countsOf(calls);
    expectNumbers('20 deliveries', counts, { sql: 5 + 2 * 20, starts: 20 }, listOf(calls));
    expect(scene.receiver.received).toHaveLength(20);
  });

  test('consecutive deliveries to one receiver share one connection', async () => {
    const scene = await openDeliveryScene();
    let connections = 0;
    const count = (message: unknown) => {
      const { connectParams } = message as { connectParams: { host: string } };
      if (scene.receiver.url.endsWith(connectParams.host)) connections++;
    };
    onChannel('undici:client:connected', count);
    for (let i = 0; i < 3; i++) await scene.fireAndRecord(1);
    unsubscribe('undici:client:connected', count);
    expectNumbers('3 deliveries', { connections }, { connections: 1 });
  });
});
