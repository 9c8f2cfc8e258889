import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { deliveriesInFlightMax } from '@assay/contract/limits.ts';
import { Redis } from 'ioredis';
import { describe, expect, onTestFinished, test } from 'vitest';
import { liftedLimits, openTestApi, openTestWorker } from '../../../../test/support/api.ts';
import { openReceiver } from '../../../../test/support/receiver.ts';
import { submit, uploadText } from '../../../../test/support/submissions.ts';
import { fire, subscribe } from '../../../../test/support/webhooks.ts';
import { createTurns } from './turns.ts';

const api = await openTestApi(liftedLimits);
await openTestWorker(api.config);
await openTestWorker(api.config); // a second one of the same queues: the caps hold for both together

async function openBusyReceiver(holdMillis: number) {
  let atOnce = 0;
  const seen: number[] = [];
  const receiver = await openReceiver(async (_, response) => {
    seen.push(++atOnce);
    await sleep(holdMillis);
    atOnce--;
    response.end();
  });
  onTestFinished(() => receiver.close());
  return { receiver, atOnceMax: () => Math.max(...seen) };
}

async function fireMany(sandboxKey: string, assetCount: number) {
  const sandbox = api.client(sandboxKey);
  const blobPath = await uploadText(sandbox);
  const { body } = await sandbox.post('/submissions', { assets: [{ blobPath }] });
  for (let i = 0; i < assetCount; i++) await fire(sandbox, body.submissionId);
}

test('a turn that outlived its lease is not taken from whoever has it now', async () => {
  const turns = createTurns(api.handles);
  const subscription = { subscriptionId: randomUUID(), maxRequestsPerSecond: null, consecutiveFailureCount: 99 };
  const late = await turns.take(subscription, 50);
  await sleep(100);
  const other = createTurns(api.handles); // of another worker
  expect(await other.take(subscription, 60_000)).toBeDefined();
  late?.();
  await sleep(100);
  expect(await createTurns(api.handles).take(subscription, 60_000), 'the only place is taken').toBeUndefined();
});

describe('a subscription', () => {
  test('gets at most five requests at once, however many workers there are', async () => {
    const { sandboxKey } = await api.makeWorkspace();
    const { receiver, atOnceMax } = await openBusyReceiver(150);
    await subscribe(api.client(sandboxKey), receiver.url);
    await fireMany(sandboxKey, 30);
    await receiver.until(30);
    console.log(`at most ${atOnceMax()} at once`);
    expect(atOnceMax()).toBeLessThanOrEqual(deliveriesInFlightMax);
    expect(atOnceMax()).toBeGreaterThan(1);
  });

  test('gets at most so many a second as it asked for', async () => {
    const { sandboxKey } = await api.makeWorkspace();
    const { receiver } = await openBusyReceiver(0);
    await subscribe(api.client(sandboxKey), receiver.url, { maxRequestsPerSecond: 2 });
    await fireMany(sandboxKey, 8);
    const times = (await receiver.until(8)).map(({ receivedAt }) => receivedAt);
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThanOrEqual(2000);
  });

  test('that has another limit or none is not slowed down by it', async () => {
    const { sandboxKey } = await api.makeWorkspace();
    const sandbox = api.client(sandboxKey);
    const { receiver } = await openBusyReceiver(0);
    await subscribe(sandbox, `${receiver.url}/slow`, { maxRequestsPerSecond: 1 });
    await subscribe(sandbox, `${receiver.url}/quick`);
    await submit(sandbox, [await uploadText(sandbox)]);
    await fireMany(sandboxKey, 6);
    const quick = await receiver.until(6, ({ path }) => path === '/quick');
    await receiver.until(6, ({ path }) => path === '/slow');
    const isFirst = (index: number) => receiver.received.indexOf(quick[index] as never);
    expect(isFirst(5)).toBeLessThan(receiver.received.length - 1);
  });
});

describe('turns', () => {
  const subscription = { subscriptionId: 'one', maxRequestsPerSecond: null, consecutiveFailureCount: 0 };
  const away = new Redis({ port: 9, lazyConnect: true, enableOfflineQueue: false, retryStrategy: () => null });
  away.on('error', () => {});

  test.each([
    ['Redis', api.handles.redis],
    ['a worker by itself while Redis is away', away],
  ])(
    '%s counts: a sixth waits a moment and is then sent away, and a turn that is given back is taken',
    async (_, redis) => {
      const { take } = createTurns({ redis });
      const turns = await Promise.all(Array.from({ length: 5 }, () => take(subscription, 10_000)));
      expect(turns.every(Boolean)).toBe(true);
      expect(await take(subscription, 10_000)).toBeUndefined();
      turns[0]?.();
      const next = await take(subscription, 10_000);
      expect(next).toBeDefined();
      for (const turn of [next, ...turns.slice(1)]) turn?.();
    },
  );

  test('one that fails again and again gets one at a time, and nobody waits for it', async () => {
    const { take } = createTurns(api.handles);
    const failing = { ...subscription, subscriptionId: 'failing', consecutiveFailureCount: 5 };
    const turn = await take(failing, 10_000);
    const begin = performance.now();
    expect(await take(failing, 10_000)).toBeUndefined();
    expect(performance.now() - begin).toBeLessThan(900);
    turn?.();
    (await take(failing, 10_000))?.();
  });

  test('one that a dead worker held is free after its lease', async () => {
    const failing = { ...subscription, subscriptionId: 'left behind', consecutiveFailureCount: 5 };
    await createTurns(api.handles).take(failing, 500);
    const { take } = createTurns(api.handles);
    expect(await take(failing, 500)).toBeUndefined();
    await sleep(600);
    expect(await take(failing, 500)).toBeDefined();
  });
});
