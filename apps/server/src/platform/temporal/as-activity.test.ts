import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { openTestApi } from '@assay/testing/service/api.ts';
import { countInEngine } from '@assay/testing/service/engine-database.ts';
import { pino } from 'pino';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { Outage } from '../outage.ts';
import { type Activity, ActivityEnd, asActivity } from './as-activity.ts';
import { openWorkers } from './workers.ts';

type Work = (activity: Activity) => Promise<void>;

/** Short, because some tests wait for several heartbeats, or for a time without any. */
const heartbeatTimeoutSeconds = 2.5;

const api = await openTestApi();
const { client, connection, namespace } = api.handles.workflows;
const logLines: string[] = [];
const log = pino({ level: 'warn' }, { write: (line) => void logLines.push(line) });
const workById = new Map<string, Work>();
const activities = { work: asActivity(log, (activity, id: string) => (workById.get(id) as Work)(activity)) };

async function openWorker() {
  const name = `${randomUUID()}:work`;
  const queue = { name, activities, hasWorkflows: false, atOnceMax: 4 };
  return { name, ...(await openWorkers(api.config.TEMPORAL_ADDRESS, namespace, [queue], log)) };
}

const worker = await openWorker();
afterAll(worker.stop);

/** Starts an activity with this work, outside of any workflow. It is terminated after the test if it still runs. */
async function startActivity(work: Work, { taskQueue = worker.name, attemptsMax = 1 } = {}) {
  const id = randomUUID();
  workById.set(id, work);
  const handle = await client.activity.start('work', {
    id,
    taskQueue,
    args: [id],
    startToCloseTimeout: '10 minutes',
    heartbeatTimeout: heartbeatTimeoutSeconds * 1000,
    retry: { initialInterval: '10 ms', maximumInterval: '10 ms', maximumAttempts: attemptsMax },
  });
  onTestFinished(() => handle.terminate('the test has finished').catch(() => {}));
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

/** Work that runs until it is aborted, and then reports the state of its activity. */
function waitForAbort(atFirst: () => Promise<void> = async () => {}) {
  const { promise: begun, resolve: reportBegun } = Promise.withResolvers<void>();
  const { promise: reported, resolve: report } = Promise.withResolvers<Record<string, boolean>>();
  const work: Work = async (activity) => {
    const aborted = once(activity.signal, 'abort');
    await atFirst();
    reportBegun();
    await aborted;
    const { isCancelled, isStopping, wasCutOff, wasSilent } = activity;
    report({
      isCancelled: isCancelled(),
      isStopping: isStopping(),
      wasCutOff: wasCutOff(),
      wasSilent: wasSilent(),
    });
    throw new Error('aborted');
  };
  return { work, begun, reported };
}

describe('an error in an activity', () => {
  const canary = `canary${randomUUID()}`;
  const cause = Object.assign(new Error(`${canary} in /home/${canary}.mp4`), { path: canary });
  const isFinal = true;

  test.each([
    ['a known failure', new ActivityEnd(cause, { errorType: 'corrupt_media', isFinal }), 'corrupt_media', true],
    ['an unavailable dependency', new Outage('storage', cause), 'engine_unavailable', false],
    ['any other error', cause, 'internal_error', false],
  ])(
    'is logged in full, and only its type is sent to the engine, if it is %s',
    async (_, error, type, nonRetryable) => {
      logLines.length = 0;
      const { ended, read } = await startActivity(() => Promise.reject(error));
      await ended();
      const { failure } = await read();
      expect(failure).toMatchObject({ message: type, stackTrace: '', applicationFailureInfo: { type, nonRetryable } });
      expect([failure?.cause ?? null, failure?.applicationFailureInfo?.details ?? null]).toEqual([null, null]);
      expect(logLines.join()).toContain(canary);
    },
  );

  test("leaves none of its details in the engine's databases", async () => {
    const types = ['corrupt_media', 'engine_unavailable', 'internal_error'];
    const [found, ...failures] = await countInEngine(api.config.DATABASE_URL, [canary, ...types]);
    expect(Math.min(...failures)).toBeGreaterThan(0); // proves that the search covers the failures of the tests above
    expect(found).toBe(0);
  });
});

describe('a failed activity', () => {
  const failing = (end: ActivityEnd['end'] | undefined) => {
    const tries = { count: 0 };
    const work = async () => {
      tries.count++;
      throw end ? new ActivityEnd(new Error('it failed'), end) : new Error('it failed');
    };
    return { tries, work };
  };

  test.each([
    ['is not retried if the failure is final', { errorType: 'corrupt_media', isFinal: true }, 1],
    ['is retried if the failure is not final', { errorType: 'internal_error', isFinal: false }, 3],
    ['is retried after an unexpected error', undefined, 3],
  ] as const)('%s', async (_, end, count) => {
    const { tries, work } = failing(end);
    await (await startActivity(work, { attemptsMax: 3 })).ended();
    expect(tries.count).toBe(count);
  });

  test('is retried only after the wait that its failure specifies, whatever its retry policy is', async () => {
    const waitSeconds = 1800;
    const { work } = failing({ errorType: 'resource_limit_exceeded', isFinal: false, waitSeconds });
    const { read } = await startActivity(work, { attemptsMax: 3 });
    const waits = async () => {
      const { info, failure } = await read();
      const { nextRetryDelay } = failure?.applicationFailureInfo ?? {};
      return [nextRetryDelay, info?.currentRetryInterval].map((wait) => Number(wait?.seconds));
    };
    await expect.poll(waits, { timeout: 60_000 }).toEqual([waitSeconds, waitSeconds]);
  });
});

describe('a running activity', () => {
  test('is kept alive by regular heartbeats', async () => {
    const { work, begun } = waitForAbort();
    const { read } = await startActivity(work);
    await begun;
    const heartbeats = new Set<number>();
    const listen = async () => {
      const { seconds, nanos } = (await read()).info?.lastHeartbeatTime ?? {};
      if (seconds) heartbeats.add(Number(seconds) * 1000 + Number(nanos) / 1e6);
      return heartbeats.size;
    };
    await expect.poll(listen, { timeout: 60_000, interval: 100 }).toBeGreaterThan(5);
    const times = [...heartbeats];
    const pauses = times.slice(1).map((at, i) => at - (times[i] as number));
    expect(pauses.sort((a, b) => a - b)[2]).toBeLessThan((heartbeatTimeoutSeconds * 1000) / 3); // the median
  });

  test('is notified of its cancellation, and ends as cancelled whatever it throws', async () => {
    const { work, begun, reported } = waitForAbort();
    const { handle, ended, read } = await startActivity(work);
    await begun;
    await handle.cancel('no longer needed');
    expect(await reported).toEqual({ isCancelled: true, isStopping: false, wasCutOff: false, wasSilent: false });
    await ended();
    const { failure } = await read();
    expect(failure?.canceledFailureInfo).toBeTruthy();
    expect(failure?.stackTrace).toBeFalsy();
  });

  test('is notified that its worker is stopping, which is neither a cancellation nor an outage', async () => {
    const other = await openWorker();
    const { work, begun, reported } = waitForAbort();
    await startActivity(work, { taskQueue: other.name });
    await begun;
    const stopped = other.stop();
    expect(await reported).toEqual({ isCancelled: false, isStopping: true, wasCutOff: false, wasSilent: false });
    await stopped;
  });

  const blockFor = (seconds: number) => async () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, seconds * 1000);
  };

  test.each([
    ['cut off if its heartbeats were on time', undefined, true],
    ['silent if its process was blocked for most of the timeout', blockFor(0.9 * heartbeatTimeoutSeconds), false],
  ])('that the engine has reassigned is reported as %s', async (_, atFirst, wasCutOff) => {
    const { work, begun, reported } = waitForAbort(atFirst);
    const { handle } = await startActivity(work);
    await begun;
    await handle.terminate('as if it had been reassigned').catch(() => {}); // the activity may have timed out by then
    expect(await reported).toEqual({ isCancelled: false, isStopping: false, wasCutOff, wasSilent: !wasCutOff });
  });
});
