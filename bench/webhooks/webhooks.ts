import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMicrosOfFamily } from '@assay/testing/measure/cpu-clock.ts';
import { openReceiver, type Receiver } from '@assay/testing/service/receiver.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { fire, subscribe } from '@assay/testing/service/webhooks.ts';
import { abortOnSignal, conclude } from '../measure/conclude.ts';
import { compareRates } from '../measure/ratio.ts';
import { formatHead, formatSlices } from '../measure/report.ts';
import { formatReport, type ReportSection } from '../measure/section.ts';
import { inTurns, measureSlice, type Slice } from '../measure/slices.ts';
import { openSubmissionBench, type SubmissionBench } from '../submissions/submission-bench.ts';

const subscriptionCount = 10;
const assetCount = 5;
const perFire = subscriptionCount * assetCount;
const startsAtOnce = 40; // two fire requests at a time, each starting twenty deliveries at once

const settings = { rounds: 4, fires: 20 };

type Side = { name: string; run(): Promise<Slice> };

/** Measures deliveries of events, compared with bare Temporal activities. */
export async function benchWebhooks(args: string[]): Promise<boolean> {
  const signal = abortOnSignal();
  const bench = await openSubmissionBench();
  const receiver = await openReceiver();
  try {
    const section = await benchRates(bench, receiver, signal);
    const ratios = section.ratio ? [section.ratio] : [];
    const head = formatHead({
      title: 'What webhooks cost',
      command: ['pnpm bench webhooks', ...args].join(' '),
      settings: `${settings.rounds} rounds of ${settings.fires * perFire} deliveries, alternating`,
      versions: bench.versions,
    });
    return conclude(formatReport(head, [section], ratios), ratios, args, 'webhooks/webhooks.md');
  } finally {
    receiver.close();
    await bench.close();
  }
}

async function benchRates(bench: SubmissionBench, receiver: Receiver, signal: AbortSignal): Promise<ReportSection> {
  const { rounds, fires } = settings;
  const ours = await openOurSide(bench, receiver, fires, signal);
  const bare = await openBareSide(bench, receiver, fires * perFire, signal);
  for (const side of [ours, bare]) await side.run(); // warm-up
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
    ratio: compareRates('deliveries / bare activities', of(ours), of(bare), 0.8),
  };
}

async function openOurSide(
  bench: SubmissionBench,
  receiver: Receiver,
  fires: number,
  signal: AbortSignal,
): Promise<Side> {
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
    bench: ownCpuMicros,
  };
  return {
    name: 'ours, all recorded',
    run: () =>
      measureSlice(clocks, async () => {
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

async function openBareSide(
  bench: SubmissionBench,
  receiver: Receiver,
  count: number,
  signal: AbortSignal,
): Promise<Side> {
  const { config } = bench;
  const { activity } = await bench.connectToEngine();
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
      measureSlice(
        { worker: () => cpuMicrosOfFamily(worker.pid), postgres, temporal, bench: ownCpuMicros },
        async () => {
          const before = receiver.received.length;
          const begin = performance.now();
          let left = count;
          const caller = async () => {
            while (left-- > 0 && !signal.aborted) await start();
          };
          await Promise.all(Array.from({ length: startsAtOnce }, caller));
          while (receiver.received.length < before + count) await sleep(5, undefined, { signal });
          return { requests: count, micros: (performance.now() - begin) * 1000 };
        },
      ),
  };
}

function ownCpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
