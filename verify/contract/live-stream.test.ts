import { type ClientRequest, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { prefixes } from '@assay/contract/route.ts';
import { openOwnRedis } from '@assay/testing/faults/own-redis.ts';
import { liftedLimits, openTestApi, openTestWorker, testEnvironment } from '@assay/testing/service/api.ts';
import { type ServerProcess, startServerProcess } from '@assay/testing/service/api-process.ts';
import { followToTheEnd, type Message } from '@assay/testing/service/follow.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { fire } from '@assay/testing/service/webhooks.ts';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';

const redis = await openOwnRedis();
await redis.start();
afterAll(() => redis.kill());
const settings = { ...liftedLimits, REDIS_URL: redis.url, WORKER_QUEUES: 'control,sandbox,document' };
const api = await openTestApi(settings); // makes the changes and is never killed
await openTestWorker(api.config);
const workspace = await api.makeWorkspace();
const live = api.client(workspace.liveKey);
const sandbox = api.client(workspace.sandboxKey);

const environment = testEnvironment({ ...settings, REDIS_KEY_PREFIX: api.config.REDIS_KEY_PREFIX });
/** Two processes that serve the streams and are killed. */
const streamServers: ServerProcess[] = [];
for (let i = 0; i < 2; i++) streamServers.push(await startServerProcess('api', environment));
afterAll(() => Promise.all(streamServers.map((one) => one.stop('SIGKILL'))));
const streamUrls = () => streamServers.map(({ url }) => url);

async function killApi(i: number): Promise<void> {
  await streamServers[i]?.stop('SIGKILL');
  streamServers[i] = await startServerProcess('api', environment);
}

async function killRedis(): Promise<void> {
  await redis.kill();
  await sleep(300);
  await redis.start();
}

const hasDuplicates = (ids: string[]) => new Set(ids).size < ids.length;
const statusRank = { submitted: 0, processing: 1, complete: 2, failed: 2 };

describe('a client that resumes its stream while the API and Redis are killed', () => {
  test('ends with the true status of the submission and its assets, receives no message twice, and never an older status after a newer one', async () => {
    const following: { submissionId: string; seen: Promise<Message[]> }[] = [];
    let isSubmitting = true;
    const submitting = (async () => {
      const paths = await Promise.all(Array.from({ length: 3 }, () => uploadText(live)));
      for (let i = 0; isSubmitting; i++) {
        const isLive = i % 2 === 0; // a live one finishes at once, a simulated one after some of the kills
        const simulated = `?simulationDelaySeconds=${i % 7}`;
        // A busy machine may refuse one, because its storage responds late. Below, enough must have been accepted.
        const ids = await (isLive ? submit(live, paths) : submit(sandbox, paths, {}, simulated)).catch(() => undefined);
        if (!ids) continue;
        const { submissionId } = ids;
        const channel = `submission.${submissionId}`;
        following.push({ submissionId, seen: followToTheEnd(streamUrls, workspace.sandboxKey, channel) });
        await sleep(250);
      }
    })();
    for (let round = 0; round < 2; round++) {
      await killApi(round % 2);
      await killRedis();
    }
    isSubmitting = false;
    await submitting;
    let messageCount = 0;
    for (const { submissionId, seen } of following) {
      messageCount += (await seen).length;
      checkMessages(await seen, (await live.get(`/submissions/${submissionId}`)).body);
    }
    console.log(`${following.length} submissions, ${messageCount} messages`);
    expect(following.length).toBeGreaterThan(10);
  }, 180_000);

  test('receives every event of its workspace exactly once after its first connection', async () => {
    const { submissionId } = await submit(sandbox, [await uploadText(sandbox), await uploadText(sandbox)]);
    const leaving = new AbortController();
    const seen: Message[] = [];
    const { promise: isListening, resolve: tellListening } = Promise.withResolvers<void>();
    const following = followToTheEnd(streamUrls, workspace.sandboxKey, `webhooks.${workspace.workspaceId}`, {
      signal: leaving.signal,
      onMessage: (message) => {
        seen.push(message);
        tellListening();
      },
    });
    const timer = setInterval(() => fire(sandbox, submissionId), 300);
    await isListening;
    clearInterval(timer);
    let isFiring = true;
    const firing = (async () => {
      while (isFiring) await fire(sandbox, submissionId);
    })();
    for (let round = 0; round < 2; round++) {
      await killApi(round % 2);
      await killRedis();
    }
    isFiring = false;
    await firing;
    const first = seen[0]?.data.id as string;
    const events = await api.handles.db
      .selectFrom('events')
      .select('event_id')
      .where('workspace_id', '=', workspace.workspaceId)
      .where('submission_id', '=', submissionId)
      .execute();
    const ids = events.map(({ event_id }) => event_id);
    const known = () => seen.filter(({ data }) => data.data.submission_id === submissionId).map(({ data }) => data.id);
    for (let i = 0; i < 300 && !seen.some(({ data }) => data.id === ids.at(-1)); i++) await sleep(100);
    await sleep(2000);
    leaving.abort();
    await following;
    console.log(`${known().length} events seen of ${ids.length}, the first of them after it began to listen`);
    expect(hasDuplicates(known())).toBe(false);
    const missed = ids.filter((id) => !known().includes(id));
    // Only events that were fired before the first connection may be missed.
    expect(missed.every((id) => id < first)).toBe(true);
    expect(known().length).toBeGreaterThan(20);
  }, 180_000);
});

function checkMessages(messages: Message[], truth: { status: string; assets: { assetId: string; status: string }[] }) {
  expect(hasDuplicates(messages.map(({ id }) => id))).toBe(false);
  expect(messages[0]?.event).toBe('snapshot');
  expect(messages.filter(({ event }) => event === 'snapshot')).toHaveLength(1);
  const last = messages.findLast(({ event }) => event !== 'asset.updated');
  expect(last?.data.status).toBe(truth.status);
  const known = new Map<string, { status: keyof typeof statusRank; retryCount: number }>();
  for (const { event, data } of messages) {
    const assets = event === 'snapshot' ? data.assets : event === 'asset.updated' ? [data] : [];
    for (const asset of assets) {
      const before = known.get(asset.assetId);
      const isBack =
        before &&
        asset.retryCount === before.retryCount &&
        statusRank[asset.status as 'failed'] < statusRank[before.status];
      expect(isBack ?? false).toBe(false);
      known.set(asset.assetId, asset);
    }
  }
  for (const asset of truth.assets) expect(known.get(asset.assetId)).toMatchObject(asset);
}

describe('one API process', () => {
  const streamCount = Number(process.env.STREAMS ?? 200);

  test(`notifies the clients of ${streamCount} streams and stays below 300 MB of resident memory`, async () => {
    // With the default heap size, V8 keeps garbage while memory is free, and keeps more on a busy machine.
    const smallHeap = { NODE_OPTIONS: '--max-old-space-size=128' };
    const limited = { ...environment, ...smallHeap, REALTIME_STREAMS_PER_KEY_MAX: `${streamCount}` };
    const process = await startServerProcess('api', limited);
    onTestFinished(async () => void (await process.stop('SIGKILL')));
    const waiting = await submit(sandbox, [await uploadText(sandbox)], {}, '?simulationDelaySeconds=30');
    let [open, notifiedCount] = [0, 0];
    const target = new URL(process.url);
    const path = `${prefixes[0]}/realtime?channel=submission.${waiting.submissionId}`;
    const requests = new Set<ClientRequest>();
    const follow = () => {
      const asked = request({ port: target.port, path, headers: { 'x-api-key': workspace.sandboxKey }, agent: false });
      requests.add(asked);
      asked.on('error', () => {});
      asked.on('response', (response) => {
        open++;
        let isNotified = false;
        response.setEncoding('utf8');
        response.on('data', (text: string) => {
          // On a slow machine, the simulated run may complete before it is cancelled.
          if (isNotified || !/"status":"(failed|complete)"/.test(text)) return;
          isNotified = true;
          notifiedCount++;
        });
        response.on('close', () => {
          open--;
          if (requests.delete(asked) && !isNotified) follow(); // a server that is too busy ends streams
        });
      });
      asked.end();
    };
    for (let i = 0; i < streamCount; i++) follow();
    await expect.poll(() => open).toBe(streamCount);
    await sandbox.post(`/submissions/${waiting.submissionId}/cancel`);
    await expect.poll(() => notifiedCount).toBe(streamCount);
    const megabytes = process.rssBytes() / 1e6;
    console.log(`${streamCount} streams: ${megabytes.toFixed(0)} MB resident`);
    expect(megabytes).toBeLessThan(300);
    for (const asked of requests) {
      requests.delete(asked);
      asked.destroy();
    }
  }, 120_000);
});
