import { setTimeout as sleep } from 'node:timers/promises';
import { liftedLimits, openTestApi, testEnvironment } from '@assay/testing/service/api.ts';
import { startServerProcess } from '@assay/testing/service/api-process.ts';
import type { Client } from '@assay/testing/service/client.ts';
import { openReceiver, type Receiver } from '@assay/testing/service/receiver.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { fire, subscribe, subscriptionPath } from '@assay/testing/service/webhooks.ts';
import { afterAll, describe, expect, test } from 'vitest';

/** `ROUNDS=20` in the nightly run. A round sends one event to every subscription. */
const { ROUNDS } = process.env;
const roundCount = Number(ROUNDS ?? 2);
const roundMillis = ROUNDS ? 4000 : 1500;
// Generous, because results of a few rounds vary; a receiver that blocked the others would delay them by 15 s.
const slowdownMax = ROUNDS ? 2 : 5;
const growthMebibytesMax = 100;
const workspaceCount = 5;
const subscriptionsPerWorkspace = 20;

const api = await openTestApi(liftedLimits);
const environment = testEnvironment({
  TEMPORAL_QUEUE_PREFIX: api.config.TEMPORAL_QUEUE_PREFIX,
  REDIS_KEY_PREFIX: api.config.REDIS_KEY_PREFIX,
  WORKER_QUEUES: 'webhook,sandbox',
});
const worker = await startServerProcess('worker', environment);
afterAll(() => worker.stop('SIGKILL'));

const receivers: Receiver[] = [];
const openTestReceiver = async (answer?: Parameters<typeof openReceiver>[0]) => {
  const receiver = await openReceiver(answer);
  receivers.push(receiver);
  return receiver;
};
afterAll(() => {
  for (const receiver of receivers) receiver.close();
});

const healthyReceiver = await openTestReceiver();
const hangingReceiver = await openTestReceiver(() => {});
const failingReceiver = await openTestReceiver((_, response) => response.writeHead(500).end('no'));
const resettingReceiver = await openTestReceiver((_, __, request) => request.socket.resetAndDestroy());
const endlessReceiver = await openTestReceiver((_, response) => {
  const gigabyte = 1024 ** 3;
  let sentBytes = 0;
  const send = () => {
    while (!response.destroyed && sentBytes < gigabyte && response.write(Buffer.alloc(65_536))) sentBytes += 65_536;
  };
  response.on('drain', send);
  send();
});
const tricklingReceiver = await openTestReceiver((_, response) => {
  const timer = setInterval(() => response.write('.'), 1000);
  response.on('close', () => clearInterval(timer));
});

/** The kinds of bad receivers, and how many of each are among a hundred receivers. */
const badReceivers: [Receiver, number][] = [
  [hangingReceiver, 20],
  [failingReceiver, 10],
  [resettingReceiver, 5],
  [endlessReceiver, 1],
  [tricklingReceiver, 1],
];

type TestWorkspace = { client: Client; submissionId: string; bad: { subscriptionId: string }[] };
const testWorkspaces: TestWorkspace[] = [];
const badReceiverList = badReceivers.flatMap(([receiver, count]) => Array.from({ length: count }, () => receiver));
for (let i = 0; i < workspaceCount; i++) {
  const client = api.client((await api.makeWorkspace()).sandboxKey);
  const { submissionId } = await submit(client, [await uploadText(client)]);
  const place: TestWorkspace = { client, submissionId, bad: [] };
  for (let j = 0; j < subscriptionsPerWorkspace; j++) {
    const kind = badReceiverList[i + j * workspaceCount]; // distributed evenly
    const made = await subscribe(client, `${(kind ?? healthyReceiver).url}/${i}/${j}`);
    if (kind) place.bad.push(made);
  }
  testWorkspaces.push(place);
}
const badCount = testWorkspaces.reduce((sum, place) => sum + place.bad.length, 0);
const healthyCount = workspaceCount * subscriptionsPerWorkspace - badCount;

async function setBadActive(isActive: boolean): Promise<void> {
  for (const { client, bad: subscriptions } of testWorkspaces) {
    for (const subscription of subscriptions) await client.patch(subscriptionPath(subscription), { isActive });
  }
}

/** Milliseconds from the event to its first receipt at each healthy receiver. */
async function measureDelays(): Promise<number[]> {
  const before = healthyReceiver.received.length;
  for (let round = 0; round < roundCount; round++) {
    for (const { client, submissionId } of testWorkspaces) {
      await fire(client, submissionId);
      await sleep(roundMillis / testWorkspaces.length);
    }
  }
  const expected = before + roundCount * healthyCount;
  await healthyReceiver.until(expected, undefined, 60);
  return healthyReceiver.received
    .slice(before, expected)
    .map(({ event, receivedAt }) => receivedAt - Date.parse(event.timestamp));
}

const percentile95 = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(0.95 * (values.length - 1))] ?? Number.NaN;
const workerMebibytes = () => Math.round(worker.rssBytes() / 1024 ** 2);

describe(`${badCount} of 100 webhook receivers that hang, fail, reset, never end or trickle`, () => {
  test('hardly delay the other receivers and hardly increase the memory of the worker', async () => {
    expect(badCount).toBe(37);
    await setBadActive(false);
    await measureDelays(); // warm-up
    const alone = percentile95(await measureDelays());
    const memoryBefore = workerMebibytes();
    await setBadActive(true);
    const beside = percentile95(await measureDelays());
    const memoryMiddle = workerMebibytes();
    const later = percentile95(await measureDelays());
    const memoryAfter = workerMebibytes();
    console.log(
      `p95 of ${healthyCount} healthy ones: ${alone} ms alone, ${beside} ms beside ${badCount} bad ones, ${later} ms later; ` +
        `memory of the worker ${memoryBefore}, ${memoryMiddle}, ${memoryAfter} MiB`,
    );
    expect(Math.min(beside, later)).toBeLessThanOrEqual(slowdownMax * alone);
    expect(memoryAfter - memoryBefore).toBeLessThan(growthMebibytesMax);
    expect(hangingReceiver.received.length).toBeGreaterThanOrEqual(20);
  }, 400_000);
});
