import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Refusal } from '@assay/contract/refusals.ts';
import { pino } from 'pino';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { openTestApi } from '../../../../test/support/api.ts';
import { countInEngine } from '../../../../test/support/engine-database.ts';
import { type Activity, ActivityEnd, asActivity } from './as-activity.ts';
import { openWorkers } from './workers.ts';

type Work = (activity: Activity) => Promise<void>;

const api = await openTestApi();
const { client, connection, namespace } = api.handles.workflows;
const logged: string[] = [];
const log = pino({ level: 'warn' }, { write: (line) => void logged.push(line) });
const works = new Map<string, Work>();
const activities = { work: asActivity(log, (activity, id: string) => (works.get(id) as Work)(activity)) };

async function openWorker() {
  const name = `${randomUUID()}:work`;
  const queue = { name, activities, hasWorkflows: false, atOnceMax: 4 };
  return { name, ...(await openWorkers(api.config.TEMPORAL_ADDRESS, namespace, [queue], log)) };
}

const worker = await openWorker();
afterAll(worker.stop);

/** Has the engine run this work, outside of any workflow. It is ended after the test, if it has not ended before. */
async function begin(work: Work, { taskQueue = worker.name, attemptsMax = 1 } = {}) {
  const id = randomUUID();
  works.set(id, work);
  const handle = await client.activity.start('work', {
    id,
    taskQueue,
    args: [id],
    startToCloseTimeout: '10 minutes',
    heartbeatTimeout: '1 minute',
    retry: { initialInterval: '10 ms', maximumInterval: '10 ms', maximumAttempts: attemptsMax },
  });
  onTestFinished(() => handle.terminate('the test is over').catch(() => {}));
  return {
    handle,
    ended: () => handle.result().catch(() => {}),
    async read() {
      const request = { namespace, activityId: id, includeOutcome: true, includeLastFailure: true };
      const { info, outcome } = await connection.workflowService.describeActivityExecution(request);
      return { info, failure: outcome?.failure ?? info?.lastFailure };
    },
  };
}

/** Work that lasts until it is aborted, and then says what it was told of its run. */
function waitForAbort(atFirst: () => Promise<void> = async () => {}) {
  const { promise: begun, resolve: tellBegun } = Promise.withResolvers<void>();
  const { promise: told, resolve: tell } = Promise.withResolvers<Record<string, boolean>>();
  const work: Work = async (activity) => {
    const aborted = once(activity.signal, 'abort');
    await atFirst();
    tellBegun();
    await aborted;
    const { isCancelled, isStopping, wasCutOff, wasSilent } = activity;
    tell({
      isCancelled: isCancelled(),
      isStopping: isStopping(),
      wasCutOff: wasCutOff(),
      wasSilent: wasSilent(),
    });
    throw new Error('aborted');
  };
  return { work, begun, told };
}

describe('of an error', () => {
  const canary = `canary${randomUUID()}`;
  const cause = Object.assign(new Error(`${canary} in /home/${canary}.mp4`), { path: canary });
  const isFinal = true;

  test.each([
    ['an end that is known', new ActivityEnd(cause, { errorType: 'corrupt_media', isFinal }), 'corrupt_media', true],
    [
      'a part that is away',
      new Refusal('storage_unavailable', { internal: canary, cause }),
      'engine_unavailable',
      false,
    ],
    ['anything else', cause, 'internal_error', false],
  ])('the engine hears its type alone, and the log all of it: %s', async (_, error, type, nonRetryable) => {
    logged.length = 0;
    const { ended, read } = await begin(() => Promise.reject(error));
    await ended();
    const { failure } = await read();
    expect(failure).toMatchObject({ message: type, stackTrace: '', applicationFailureInfo: { type, nonRetryable } });
    expect([failure?.cause ?? null, failure?.applicationFailureInfo?.details ?? null]).toEqual([null, null]);
    expect(logged.join()).toContain(canary);
    expect(await countInEngine(api.config.DATABASE_URL, type)).toBeGreaterThan(0); // it does look where failures are kept
    expect(await countInEngine(api.config.DATABASE_URL, canary)).toBe(0);
  });
});

describe('work is', () => {
  const failing = (end: ActivityEnd['end'] | undefined) => {
    const tries = { count: 0 };
    const work = async () => {
      tries.count++;
      throw end ? new ActivityEnd(new Error('it failed'), end) : new Error('it failed');
    };
    return { tries, work };
  };

  test.each([
    ['not tried again after an end that is final', { errorType: 'corrupt_media', isFinal: true }, 1],
    ['tried again after an end that is not', { errorType: 'internal_error', isFinal: false }, 3],
    ['tried again after an error that nobody expected', undefined, 3],
  ] as const)('%s', async (_, end, count) => {
    const { tries, work } = failing(end);
    await (await begin(work, { attemptsMax: 3 })).ended();
    expect(tries.count).toBe(count);
  });

  test('tried again only after the wait that its end asks for, whatever the policy of the activity says', async () => {
    const waitSeconds = 1800;
    const { work } = failing({ errorType: 'resource_limit_exceeded', isFinal: false, waitSeconds });
    const { read } = await begin(work, { attemptsMax: 3 });
    const waits = async () => {
      const { info, failure } = await read();
      const { nextRetryDelay } = failure?.applicationFailureInfo ?? {};
      return [nextRetryDelay, info?.currentRetryInterval].map((wait) => Number(wait?.seconds));
    };
    await expect.poll(waits, { timeout: 60_000 }).toEqual([waitSeconds, waitSeconds]);
  });
});

describe('work that goes on', () => {
  test('is kept alive: the engine hears of it again and again', async () => {
    const { work, begun } = waitForAbort();
    const { read } = await begin(work);
    await begun;
    const heard = new Set<number>();
    const listen = async () => {
      const { seconds } = (await read()).info?.lastHeartbeatTime ?? {};
      if (seconds) heard.add(Number(seconds));
      return heard.size;
    };
    await expect.poll(listen, { timeout: 60_000, interval: 200 }).toBeGreaterThan(2);
  });

  test('is told of its cancellation, and ends as cancelled whatever it throws', async () => {
    const { work, begun, told } = waitForAbort();
    const { handle, ended, read } = await begin(work);
    await begun;
    await handle.cancel('nobody waits for it');
    expect(await told).toEqual({ isCancelled: true, isStopping: false, wasCutOff: false, wasSilent: false });
    await ended();
    const { failure } = await read();
    expect(failure?.canceledFailureInfo).toBeTruthy();
    expect(failure?.stackTrace).toBeFalsy();
  });

  test('is told that its worker is stopped, which is neither a cancellation nor an outage', async () => {
    const other = await openWorker();
    const { work, begun, told } = waitForAbort();
    await begin(work, { taskQueue: other.name });
    await begun;
    const stopped = other.stop();
    expect(await told).toEqual({ isCancelled: false, isStopping: true, wasCutOff: false, wasSilent: false });
    await stopped;
  });

  const blockFor = (seconds: number) => async () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, seconds * 1000);
  };

  test.each([
    ['was cut off when its process was never silent', undefined, true],
    ['was not cut off when its process was silent for more than 8 s', blockFor(9), false],
  ])('and that the engine no longer knows %s', async (_, atFirst, wasCutOff) => {
    const { work, begun, told } = waitForAbort(atFirst);
    const { handle } = await begin(work);
    await begun;
    await handle.terminate('as if it had been given to another');
    expect(await told).toEqual({ isCancelled: false, isStopping: false, wasCutOff, wasSilent: !wasCutOff });
  });
});
