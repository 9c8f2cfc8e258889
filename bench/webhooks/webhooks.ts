import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMicrosOfFamily } from '@assay/testing/measure/cpu-clock.ts';
import { median } from '@assay/testing/measure/statistics.ts';
import { formatTable } from '@assay/testing/measure/table.ts';
import { openReceiver, type Receiver } from '@assay/testing/service/receiver.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { fire, subscribe } from '@assay/testing/service/webhooks.ts';
import { Client, Connection } from '@temporalio/client';
import { abortOnSignal, conclude } from '../measure/conclude.ts';
import { compare } from '../measure/ratio.ts';
import { formatHead, formatSlices } from '../measure/report.ts';
import { formatReport, type Section } from '../measure/section.ts';
import { inTurns, measure, type Slice } from '../measure/slices.ts';
import { openSubmissionBench, type SubmissionBench } from '../submissions/submission-bench.ts';

const subscriptionCount = 10;
const assetCount = 5;
const perFire = subscriptionCount * assetCount;
const startsAtOnce = 40; // two calls of fire at a time, each of which starts twenty at once
const steadyPerSecond = 20;

const settings = { rounds: 4, fires: 20, steadySeconds: 30 };

type Side = { name: string; run(): Promise<Slice> };

/** Events to receivers, compared with the bare engine and a bare client. */
export async function benchWebhooks(args: string[]): Promise<boolean> {
  const signal = abortOnSignal();
  const bench = await openSubmissionBench();
  const receiver = await openReceiver();
  try {
    const deliveries = await benchRates(bench, receiver, settings, signal);
    const steady = await benchSteady(bench, receiver, settings.steadySeconds, signal);
    const sections = [deliveries, steady];
    const ratios = sections.flatMap(({ ratio }) => ratio ?? []);
    const head = formatHead({
      title: 'What webhooks cost',
      command: ['pnpm bench webhooks', ...args].join(' '),
      settings: `${settings.rounds} rounds of ${settings.fires * perFire} deliveries, alternating`,
      versions: bench.versions,
    });
    return conclude(formatReport(head, sections, ratios), ratios, args, 'webhooks/webhooks.md');
  } finally {
    receiver.close();
    await bench.close();
  }
}

async function benchRates(
  bench: SubmissionBench,
  receiver: Receiver,
  { rounds, fires }: typeof settings,
  signal: AbortSignal,
): Promise<Section> {
  const ours = await openOurs(bench, receiver, fires, signal);
  const bare = await openBare(bench, receiver, fires * perFire, signal);
  for (const side of [ours, bare]) await side.run(); // cold code, cold caches
  const slices = await inTurns([ours, bare], rounds, (side) => side.run());
  const of = (side: Side) => slices.get(side) as Slice[];
  return {
    title: 'Deliveries',
    what:
      `${fires} calls of fire, two at a time, each for ${assetCount} assets and ${subscriptionCount} subscriptions: from the first call to the last ` +
      'delivery that is recorded as succeeded. Events, deliveries and attempts are recorded, bodies signed, addresses ' +
      `checked. The bare side starts as many standalone activities, ${startsAtOnce} at once, whose worker makes one POST each and ` +
      'records nothing. “bench” is this program: it receives, and on the bare side it also starts the activities.',
    table: formatSlices(slices, 'delivery'),
    slices: [...slices.values()].flat(),
    ratio: compare('deliveries / bare activities', of(ours), of(bare), 0.8),
  };
}

async function openOurs(bench: SubmissionBench, receiver: Receiver, fires: number, signal: AbortSignal): Promise<Side> {
  const worker = await bench.start('worker');
  for (let i = 0; i < subscriptionCount; i++) await subscribe(bench.sandbox, `${receiver.url}/${i}`);
  const blobPaths: string[] = [];
  for (let i = 0; i < assetCount; i++) blobPaths.push(await uploadText(bench.sandbox, `note-${i}.txt`));
  const { submissionId } = await submit(bench.sandbox, blobPaths);
  const { postgres, temporal, redis } = bench.clocks;
  const clocks = {
    api: () => cpuMicrosOfFamily(bench.api.pid),
    worker: () => cpuMicrosOfFamily(worker.pid),
    postgres,
    temporal,
    redis,
    bench: ownMicros,
  };
  return {
    name: 'ours, all recorded',
    run: () =>
      measure(clocks, async () => {
        const begin = performance.now();
        let left = fires;
        const caller = async () => {
          while (left-- > 0 && !signal.aborted) await fire(bench.sandbox, submissionId);
        };
        await Promise.all([caller(), caller()]);
        const pending = `select exists (select from deliveries where status = 'pending') as left`;
        while ((await bench.db.query(pending)).rows[0].left) await sleep(20, undefined, { signal });
        return { requests: fires * perFire, micros: (performance.now() - begin) * 1000 };
      }),
  };
}

async function openBare(bench: SubmissionBench, receiver: Receiver, count: number, signal: AbortSignal): Promise<Side> {
  const { config, closers } = bench;
  const connection = await Connection.connect({ address: config.TEMPORAL_ADDRESS });
  closers.defer(() => connection.close());
  const { activity } = new Client({ connection, namespace: config.TEMPORAL_NAMESPACE });
  const taskQueue = `${config.TEMPORAL_QUEUE_PREFIX}bare`;
  const atOnce = String(config.WORKER_QUEUES.find(({ name }) => name === 'webhook')?.atOnceMax);
  const worker = await bench.startBare('webhooks/bare-deliverer.ts', {
    QUEUE: taskQueue,
    RECEIVER: receiver.url,
    AT_ONCE: atOnce,
  });
  const start = () =>
    activity.start('post', {
      id: `bare:${randomUUID()}`,
      taskQueue,
      startToCloseTimeout: '30 seconds',
      heartbeatTimeout: '10 seconds',
      priority: { fairnessKey: String(Math.floor(Math.random() * subscriptionCount)) },
    });
  const { postgres, temporal } = bench.clocks;
  return {
    name: 'bare activities',
    run: () =>
      measure({ worker: () => cpuMicrosOfFamily(worker.pid), postgres, temporal, bench: ownMicros }, async () => {
        const before = receiver.received.length;
        const begin = performance.now();
        let left = count;
        const caller = async () => {
          while (left-- > 0 && !signal.aborted) await start();
        };
        await Promise.all(Array.from({ length: startsAtOnce }, caller));
        while (receiver.received.length < before + count) await sleep(5, undefined, { signal });
        return { requests: count, micros: (performance.now() - begin) * 1000 };
      }),
  };
}

async function benchSteady(
  bench: SubmissionBench,
  receiver: Receiver,
  seconds: number,
  signal: AbortSignal,
): Promise<Section> {
  const { sandbox } = bench;
  await subscribeAlone(bench, `${receiver.url}/steady`);
  const { submissionId } = await submit(sandbox, [await uploadText(sandbox)]);
  const count = steadyPerSecond * seconds;
  for (let i = 0; i < count; i++) {
    fire(sandbox, submissionId).catch(() => {});
    await sleep(1000 / steadyPerSecond, undefined, { signal });
  }
  const received = await receiver.until(count, ({ path }) => path === '/steady', 60);
  const millis = received
    .map(({ receivedAt, event }) => receivedAt - Date.parse(event.timestamp))
    .sort((a, b) => a - b);
  const at = (share: number) => String(millis[Math.floor(share * (millis.length - 1))]);
  return {
    title: `From commit to receipt at ${steadyPerSecond} a second`,
    what:
      `${count} events, one every ${1000 / steadyPerSecond} ms, to one subscription: from the event's timestamp, which is taken just before the ` +
      'commit, until the receiver has the whole request. Nothing is required here.',
    table: formatTable([
      { deliveries: String(count), 'p50 ms': String(median(millis)), 'p95 ms': at(0.95), 'p99 ms': at(0.99) },
    ]),
    slices: [],
  };
}

/** This subscription, and no other in the workspace. */
async function subscribeAlone({ sandbox }: SubmissionBench, url: string): Promise<void> {
  const { body } = await sandbox.get('/webhooks/subscriptions');
  for (const { subscriptionId } of body.subscriptions)
    await sandbox.delete(`/webhooks/subscriptions/${subscriptionId}`);
  await subscribe(sandbox, url);
}

function ownMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
