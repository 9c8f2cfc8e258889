import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { deliveriesInFlightMax } from '@assay/contract/limits.ts';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import { openReceiver } from '@assay/testing/service/receiver.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { fire, subscribe } from '@assay/testing/service/webhooks.ts';
import { Redis } from 'ioredis';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createDeliveryPermits } from './delivery-permits.ts';

const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'webhook' });
await openTestWorker(api.config);
await openTestWorker(api.config); // a second worker on the same queues: the limits apply to both together

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

test('releasing a permit after its lease has expired does not take it from its new holder', async () => {
  const permits = createDeliveryPermits(api.handles, 300);
  const subscription = {
    workspaceId: randomUUID(),
    subscriptionId: randomUUID(),
    maxRequestsPerSecond: null,
    consecutiveFailureCount: 99,
  };
  const late = await permits.acquire(subscription, 50);
  await sleep(100);
  const other = createDeliveryPermits(api.handles, 300); // as in another worker
  expect(await other.acquire(subscription, 60_000)).toBeDefined();
  late?.();
  await sleep(100);
  expect(
    await createDeliveryPermits(api.handles, 300).acquire(subscription, 60_000),
    'the only permit is held',
  ).toBeUndefined();
});

describe('a subscription', () => {
  test('gets at most five concurrent requests, across all workers', async () => {
    const { sandboxKey } = await api.makeWorkspace();
    const { receiver, atOnceMax } = await openBusyReceiver(150);
    await subscribe(api.client(sandboxKey), receiver.url);
    await fireMany(sandboxKey, 30);
    await receiver.until(30);
    console.log(`at most ${atOnceMax()} at once`);
    expect(atOnceMax()).toBeLessThanOrEqual(deliveriesInFlightMax);
    expect(atOnceMax()).toBeGreaterThan(1);
  });

  test('gets at most its configured number of requests per second', async () => {
    const { sandboxKey } = await api.makeWorkspace();
    const { receiver } = await openBusyReceiver(0);
    await subscribe(api.client(sandboxKey), receiver.url, { maxRequestsPerSecond: 2 });
    await fireMany(sandboxKey, 8);
    const times = (await receiver.until(8)).map(({ receivedAt }) => receivedAt);
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThanOrEqual(2000);
  });

  test('is not slowed down by the rate limit of another subscription', async () => {
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

describe('a workspace', () => {
  test('gets a quarter of the deliveries of a worker, however many subscriptions it has, and waits for no more', async () => {
    const { acquire } = createDeliveryPermits(api.handles, 40);
    const of = (workspaceId: string) => () =>
      acquire(
        { workspaceId, subscriptionId: randomUUID(), maxRequestsPerSecond: null, consecutiveFailureCount: 0 },
        10_000,
      );
    const greedy = of(randomUUID());
    const held = await Promise.all(Array.from({ length: 10 }, greedy));
    expect(held.every(Boolean)).toBe(true);
    const begin = performance.now();
    expect(await greedy()).toBeUndefined();
    expect(performance.now() - begin).toBeLessThan(900);
    expect(await of(randomUUID())(), 'another workspace is served').toBeDefined();
    held[0]?.();
    expect(await greedy(), 'a released permit is granted again').toBeDefined();
  });
});

describe('permits', () => {
  const subscription = {
    workspaceId: randomUUID(),
    subscriptionId: 'one',
    maxRequestsPerSecond: null,
    consecutiveFailureCount: 0,
  };
  const unavailable = new Redis({ port: 9, lazyConnect: true, enableOfflineQueue: false, retryStrategy: () => null });
  unavailable.on('error', () => {});

  test.each([
    ['Redis', api.handles.redis],
    ['each worker while Redis is unavailable', unavailable],
  ])('counted by %s are limited to five, and a released permit is granted again', async (_, redis) => {
    const { acquire } = createDeliveryPermits({ redis }, 300);
    const permits = await Promise.all(Array.from({ length: 5 }, () => acquire(subscription, 10_000)));
    expect(permits.every(Boolean)).toBe(true);
    expect(await acquire(subscription, 10_000)).toBeUndefined();
    permits[0]?.();
    const next = await acquire(subscription, 10_000);
    expect(next).toBeDefined();
    for (const release of [next, ...permits.slice(1)]) release?.();
  });

  test('for a receiver that keeps failing are granted one at a time, and refused at once while one is held', async () => {
    const { acquire } = createDeliveryPermits(api.handles, 300);
    const failing = { ...subscription, subscriptionId: 'failing', consecutiveFailureCount: 5 };
    const release = await acquire(failing, 10_000);
    const begin = performance.now();
    expect(await acquire(failing, 10_000)).toBeUndefined();
    expect(performance.now() - begin).toBeLessThan(900);
    release?.();
    (await acquire(failing, 10_000))?.();
  });

  test('of a dead worker become free when their lease ends', async () => {
    const failing = { ...subscription, subscriptionId: 'left behind', consecutiveFailureCount: 5 };
    await createDeliveryPermits(api.handles, 300).acquire(failing, 500);
    const { acquire } = createDeliveryPermits(api.handles, 300);
    expect(await acquire(failing, 500)).toBeUndefined();
    await sleep(600);
    expect(await acquire(failing, 500)).toBeDefined();
  });
});
