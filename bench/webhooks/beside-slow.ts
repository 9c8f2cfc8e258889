import { setTimeout as sleep } from 'node:timers/promises';
import { administer } from '@assay/server/admin/admin.ts';
import { median, percentile } from '@assay/testing/measure/statistics.ts';
import { formatTable } from '@assay/testing/measure/table.ts';
import { type Client, createClient } from '@assay/testing/service/client.ts';
import { openReceiver, type Receiver } from '@assay/testing/service/receiver.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { fire, subscribe, subscriptionPath, type TestSubscription } from '@assay/testing/service/webhooks.ts';
import { publish } from '../measure/conclude.ts';
import { formatHead } from '../measure/report.ts';
import { openSubmissionBench, type SubmissionBench } from '../submissions/submission-bench.ts';

const settings = { workspaces: 50, perWorkspace: 20, windows: 5, windowSeconds: 40, replays: 10_000 };
const ratioMax = 1.2;
const stopSecondsMax = 10;
const arrivalSecondsMax = 120;
const waitingActivitiesMax = 20;

type Tenant = { client: Client; submissionId: string; slow: TestSubscription[] };
type Pair = { alone: number[]; beside: number[] };

/** Measures how long deliveries take while one receiver hangs and one is limited to a request a second. */
export async function benchWebhookNeighbours(args: string[]): Promise<boolean> {
  const bench = await openSubmissionBench();
  const receivers = { honest: await openReceiver(), hanging: await openReceiver(() => {}), slow: await openReceiver() };
  try {
    const worker = await bench.start('worker');
    const tenants = await openTenants(bench, receivers);
    await insertOldDeliveries(bench, tenants[1] as Tenant);
    const isEngineIdle = await openEngineWatch(bench);
    const setActive = async (isActive: boolean) => {
      for (const { client, slow } of tenants)
        for (const one of slow) await client.patch(subscriptionPath(one), { isActive });
    };
    const window = () => measureWindow(tenants, receivers.honest);

    await setActive(false);
    await window(); // warm-up
    const pairs: Pair[] = [];
    for (let i = 0; i < settings.windows; i++) {
      while (!(await isEngineIdle())) await sleep(1000);
      const alone = await window();
      await setActive(true);
      await replay(tenants[1] as Tenant);
      const beside = await window();
      pairs.push({ alone, beside });
      console.log(`pair ${i + 1} of ${settings.windows}`);
      if (i < settings.windows - 1) await setActive(false);
    }
    const stopping = performance.now(); // in the midst of the replays
    await worker.stop();
    const stopSeconds = (performance.now() - stopping) / 1000;
    const { text, isReached } = report(bench, args, pairs, stopSeconds, receivers);
    publish(text, args, 'webhooks/beside-slow.md');
    return isReached;
  } finally {
    for (const receiver of Object.values(receivers)) receiver.close();
    await bench.close();
  }
}

/** The first workspace has the receiver that hangs, the second the one with a limit. */
async function openTenants(
  { config, api }: SubmissionBench,
  { honest, hanging, slow }: Record<'honest' | 'hanging' | 'slow', Receiver>,
): Promise<Tenant[]> {
  const tenants: Tenant[] = [];
  for (let i = 0; i < settings.workspaces; i++) {
    const created = await administer(config, `workspace create --name tenant-${i} --tier enterprise`.split(' '));
    const client = createClient(api.url, (created as { sandboxKey: string }).sandboxKey);
    const tenant: Tenant = { client, submissionId: '', slow: [] };
    if (i === 0) tenant.slow.push(await subscribe(client, hanging.url));
    if (i === 1) tenant.slow.push(await subscribe(client, slow.url, { maxRequestsPerSecond: 1 }));
    for (let j = tenant.slow.length; j < settings.perWorkspace; j++) await subscribe(client, `${honest.url}/${i}/${j}`);
    tenant.submissionId = (await submit(client, [await uploadText(client)])).submissionId;
    tenants.push(tenant);
  }
  return tenants;
}

/** Deliveries of 10,000 events to the subscription with a limit, as if they had succeeded a minute ago. */
async function insertOldDeliveries({ db }: SubmissionBench, { slow: [limited] }: Tenant): Promise<void> {
  await db.query(
    `with event as (
      insert into events (event_id, workspace_id, type, livemode, body)
      select uuid_v7(), workspace_id, 'asset.processing.completed', false, '{"type":"asset.processing.completed"}'
      from subscriptions, generate_series(1, $2) where subscription_id = $1
      returning event_id, workspace_id, type
    )
    insert into deliveries (
      delivery_id, workspace_id, subscription_id, event_id, event_type, livemode, trigger, status, attempt_count,
      max_attempts, attempts, look_after_at, created_at, completed_at
    )
    select uuid_v7(), workspace_id, $1, event_id, type, false, 'automatic', 'succeeded', 1, 1, '[]', now(), now(), now()
    from event`,
    [limited?.subscriptionId, settings.replays],
  );
}

async function replay({ client, slow: [limited] }: Tenant): Promise<void> {
  const { status, body } = await client.post(`${subscriptionPath(limited as TestSubscription)}/replay`, {
    since: new Date(Date.now() - 86_400_000).toISOString(),
    statuses: ['succeeded'],
  });
  if (body.enqueued !== settings.replays) throw new Error(`replay was answered with ${status} ${JSON.stringify(body)}`);
}

/** Fires one event per workspace, evenly spaced; returns the milliseconds until each honest receiver has it. */
async function measureWindow(tenants: Tenant[], honest: Receiver): Promise<number[]> {
  const before = honest.received.length;
  const expected = before + settings.workspaces * settings.perWorkspace - 2;
  const begin = performance.now();
  for (const [i, { client, submissionId }] of tenants.entries()) {
    await fire(client, submissionId);
    const nextAt = begin + ((i + 1) * settings.windowSeconds * 1000) / tenants.length;
    await sleep(Math.max(0, nextAt - performance.now()));
  }
  await honest.until(expected, undefined, arrivalSecondsMax);
  return honest.received
    .slice(before, expected)
    .map(({ event, receivedAt }) => receivedAt - Date.parse(event.timestamp));
}

/**
 * Cancelled deliveries leave the engine at their next attempt, which is work that the next window must not share. A few
 * wait there for minutes, after an attempt that failed.
 */
async function openEngineWatch({ connectToEngine }: SubmissionBench): Promise<() => Promise<boolean>> {
  const { activity } = await connectToEngine();
  return async () => (await activity.count("ExecutionStatus = 'Running'")).count <= waitingActivitiesMax;
}

function report(
  bench: SubmissionBench,
  args: string[],
  pairs: Pair[],
  stopSeconds: number,
  { slow }: Record<'slow', Receiver>,
) {
  const { workspaces, perWorkspace, windows, windowSeconds, replays } = settings;
  const p95 = (millis: number[]) => percentile(millis, 0.95);
  const ratio = median(pairs.map(({ alone, beside }) => p95(beside) / p95(alone)));
  const isReached = ratio <= ratioMax && stopSeconds <= stopSecondsMax;
  const text = [
    formatHead({
      title: 'What slow receivers cost the others',
      command: ['pnpm bench webhook-neighbours', ...args].join(' '),
      settings: `${windows} pairs of windows of ${windowSeconds} s, without and with the slow receivers`,
      versions: bench.versions,
    }),
    `${workspaces * perWorkspace} subscriptions of ${workspaces} workspaces. One receiver never responds; one takes 1 request a ` +
      `second, and ${replays} deliveries to it are replayed when the second window of a pair begins. In each window, every ` +
      `workspace fires an event. Times are from the event to its receipt by the other receivers. Ratio of the p95: median ` +
      `**${ratio.toFixed(2)}** (at most ${ratioMax} allowed). The receiver with a limit got ${slow.received.length} requests. Afterwards, ` +
      `in the midst of the replays, the worker stopped in **${stopSeconds.toFixed(1)} s** (at most ${stopSecondsMax} allowed).`,
    isReached ? 'Reached.' : 'Not reached.',
    formatTable(
      pairs.map(({ alone, beside }, i) => ({
        pair: String(i + 1),
        'p95 without, ms': p95(alone).toFixed(0),
        'p95 with, ms': p95(beside).toFixed(0),
        ratio: (p95(beside) / p95(alone)).toFixed(2),
      })),
    ),
  ].join('\n\n');
  return { text, isReached };
}
