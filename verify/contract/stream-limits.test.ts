import { setTimeout as sleep } from 'node:timers/promises';
import { openOwnRedis } from '@assay/testing/faults/own-redis.ts';
import { liftedLimits, openTestApi, type TestWorkspace } from '@assay/testing/service/api.ts';
import { countStatements } from '@assay/testing/service/count-statements.ts';
import { hasProductionTimes } from '@assay/testing/service/engine-times.ts';
import { follow, followToTheEnd, type Message, type Stream } from '@assay/testing/service/follow.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { fire } from '@assay/testing/service/webhooks.ts';
import { describe, expect, onTestFinished, test } from 'vitest';

const api = await openTestApi(liftedLimits);

async function openStream(url: string, { workspaceId, sandboxKey }: TestWorkspace): Promise<Stream> {
  const stream = await follow(url, sandboxKey, `webhooks.${workspaceId}`);
  onTestFinished(() => stream.leave());
  return stream;
}

async function fireOnce(of: typeof api, { sandboxKey }: TestWorkspace): Promise<string> {
  const sandbox = of.client(sandboxKey);
  const { submissionId } = await submit(sandbox, [await uploadText(sandbox)]);
  await fire(sandbox, submissionId);
  return submissionId;
}

async function firstMessageOf({ messages }: Stream): Promise<Message | undefined> {
  for await (const message of messages) return message;
  return undefined;
}

describe('429: the key already has 50 streams', () => {
  test('a 51st stream of a key is refused with 429, other keys are not affected, and a closed stream frees a slot', async () => {
    const [busy, other] = [await api.makeWorkspace(), await api.makeWorkspace()];
    const streams = await Promise.all(Array.from({ length: 60 }, () => openStream(api.url, busy)));
    const refused = streams.filter(({ status }) => status === 429);
    expect([streams.filter(({ status }) => status === 200).length, refused.length]).toEqual([50, 10]);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await openStream(api.url, other)).status).toBe(200);

    streams.find(({ status }) => status === 200)?.leave();
    await expect.poll(async () => (await openStream(api.url, busy)).status, { timeout: 10_000 }).toBe(200);
  });
});

describe('502: the process has reached its maximum number of streams', () => {
  test('a stream above the maximum of the process is refused with 502, without Retry-After', async () => {
    const small = await openTestApi({ ...liftedLimits, REALTIME_STREAMS_MAX: '3' });
    const workspaces = await Promise.all(Array.from({ length: 4 }, () => small.makeWorkspace()));
    const streams: Stream[] = [];
    for (const workspace of workspaces) streams.push(await openStream(small.url, workspace));
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 502]);
    expect(streams[3]?.headers.get('retry-after')).toBeNull();
  });
});

describe('the cost of streams', () => {
  test('50 streams of one workspace cause no more queries than one, whichever event each resumes after', async () => {
    const workspace = await api.makeWorkspace();
    const { workspaceId, sandboxKey } = workspace;
    const first = await openStream(api.url, workspace);
    await fireOnce(api, workspace);
    const { id = '' } = (await firstMessageOf(first)) ?? {};
    const streams = await Promise.all(
      Array.from({ length: 49 }, (_, i) => {
        const [writtenBy, eventId] = id.split('.');
        const lastEventId = `${Number(writtenBy) + 1000 * i - 24_000}.${eventId}`; // earlier and later than the existing events
        return follow(api.url, sandboxKey, `webhooks.${workspaceId}`, lastEventId);
      }),
    );
    onTestFinished(() => streams.forEach((stream) => void stream.leave()));
    await sleep(2000);

    const asked = countStatements(/from events\b/);
    const seconds = 3;
    await sleep(seconds * 1000);
    const count = asked.stop();
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(2 * seconds);
  });
});

describe('a stream ends', () => {
  test('when its key is revoked', async () => {
    const times: Record<string, string> = hasProductionTimes ? {} : { REALTIME_RECHECK_SECONDS: '2' };
    const { url, admin, makeWorkspace } = await openTestApi({ ...liftedLimits, ...times });
    const workspace = await makeWorkspace();
    const stream = await openStream(url, workspace);
    const keys = (await admin('key', 'list', '--workspace', workspace.workspaceId)) as {
      keyId: string;
      mode: string;
    }[];
    await admin('key', 'revoke', '--key', `${keys.find(({ mode }) => mode === 'sandbox')?.keyId}`);
    expect(await firstMessageOf(stream)).toBeUndefined(); // ends at the next check of its key, not only after an hour
  });

  test('when it reaches its maximum age, and its client resumes without missing an event', async () => {
    const brief = await openTestApi({ ...liftedLimits, REALTIME_STREAM_MINUTES_MAX: '0.01' });
    const workspace = await brief.makeWorkspace();
    const { workspaceId, sandboxKey } = workspace;
    const leaving = new AbortController();
    const seen: Message[] = [];
    let streamCount = 0;
    const openNext = () => {
      streamCount++;
      return [brief.url];
    };
    const following = followToTheEnd(openNext, sandboxKey, `webhooks.${workspaceId}`, {
      signal: leaving.signal,
      onMessage: (message) => void seen.push(message),
    });
    await sleep(1500); // long enough for several streams
    const fired: string[] = [];
    for (let i = 0; i < 4; i++) {
      fired.push(await fireOnce(brief, workspace));
      await sleep(400);
    }
    await expect.poll(() => seen.map(({ data }) => data.data.submission_id), { timeout: 60_000 }).toEqual(fired);
    expect(streamCount).toBeGreaterThan(2);
    leaving.abort();
    await following;
  });
});

test('a stream that is opened while Redis is down is subscribed to its channel once Redis is back', async () => {
  const redis = await openOwnRedis();
  onTestFinished(() => redis.kill());
  const without = await openTestApi({ ...liftedLimits, REDIS_URL: redis.url });
  const workspace = await without.makeWorkspace();
  const sandbox = without.client(workspace.sandboxKey);
  const { submissionId } = await submit(sandbox, [await uploadText(sandbox)], {}, '?simulationDelaySeconds=30');
  const stream = await follow(without.url, workspace.sandboxKey, `submission.${submissionId}`);
  onTestFinished(() => stream.leave());
  const messages = stream.messages[Symbol.asyncIterator]();
  expect((await messages.next()).value?.event).toBe('snapshot');
  await redis.start();
  await expect.poll(() => without.handles.redis.status, { timeout: 20_000 }).toBe('ready');
  // The stream is subscribed only once the second Redis connection is back too.
  const channel = `${without.config.REDIS_KEY_PREFIX}news:submission.${submissionId}`;
  const countSubscribed = async () => (await without.handles.redis.pubsub('NUMSUB', channel))[1];
  await expect.poll(countSubscribed, { timeout: 10_000 }).toBe(1);
});
