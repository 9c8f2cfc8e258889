import { setTimeout as sleep } from 'node:timers/promises';
import { Assay, ConnectionError, followByTicket, type Submission } from '@assay/sdk';
import { readConfig } from '@assay/server/config/config.ts';
import { liftedLimits, openTestApi, openTestWorker, testEnvironment } from '@assay/testing/service/api.ts';
import { type ServerProcess, startServerProcess } from '@assay/testing/service/api-process.ts';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';

const environment = testEnvironment({ ...liftedLimits, WORKER_QUEUES: 'sandbox' });
const { sandboxKey } = await (await openTestApi()).makeWorkspace();
await openTestWorker(readConfig(environment));
let running: ServerProcess = await startServerProcess('api', environment);
const { url } = running;
afterAll(() => running.stop());
afterEach(() => vi.useRealTimers());

/** Starts the next server at the same address. */
async function startAgain(): Promise<void> {
  running = await startServerProcess('api', { ...environment, API_PORT: new URL(url).port });
}

const assay = new Assay({ apiKey: sandboxKey, baseUrl: url });

async function simulate(simulationDelaySeconds: number): Promise<string> {
  const { blobPath } = await assay.uploads.direct(new Blob(['a note']), 'note.txt');
  const { submissionId } = await assay.submissions.create({ assets: [{ blobPath }] }, { simulationDelaySeconds });
  return submissionId;
}

/** Waits in the background; `heard` resolves once the first state has arrived. */
function beginWaiting(submissionId: string, options: { pollOnly: boolean; signal?: AbortSignal }) {
  const { promise: heard, resolve } = Promise.withResolvers<Submission>();
  const over = assay.submissions.wait(submissionId, { ...options, onUpdate: resolve });
  over.catch(() => undefined); // a test that awaits it still gets the error
  return { heard, over };
}

describe('a page without a key', () => {
  test('follows a submission with tickets from its server', async () => {
    const submissionId = await simulate(2);
    let tickets = 0;
    const getTicket = () => {
      tickets++;
      return assay.submissions.createTicket(submissionId);
    };
    const states = await Array.fromAsync(followByTicket({ baseUrl: url, getTicket }));
    expect(states.at(-1)).toMatchObject({ submissionId, status: 'complete' });
    expect(tickets).toBe(1);
  });
});

describe('waiting by polling', () => {
  test('sends the last ETag, so that the response is 304 as long as nothing has changed', async () => {
    const statuses: number[] = [];
    const watching = new Assay({
      apiKey: sandboxKey,
      baseUrl: url,
      fetch: async (address, request) => {
        const response = await fetch(address, request);
        statuses.push(response.status);
        return response;
      },
    });
    const { status } = await watching.submissions.wait(await simulate(3), { pollOnly: true });
    expect(status).toBe('complete');
    expect(statuses).toContain(304);
    expect(statuses.at(-1)).toBe(200);
  });
});

describe('waiting by stream and waiting by polling', () => {
  const ways = [{ pollOnly: false }, { pollOnly: true }];
  /** Waits in both ways, so that one outage serves both. */
  const beginBoth = async (simulationDelaySeconds: number, signal?: AbortSignal) => {
    const submissionId = await simulate(simulationDelaySeconds);
    const waits = ways.map((way) => beginWaiting(submissionId, { ...way, ...(signal && { signal }) }));
    for (const { heard } of waits) expect(['submitted', 'processing']).toContain((await heard).status);
    return waits.map(({ over }) => over);
  };

  test('both survive a restart of the service', async () => {
    const waits = await beginBoth(4);
    await running.stop('SIGKILL');
    await sleep(2500);
    await startAgain();
    for (const over of waits) expect((await over).status).toBe('complete');
  });

  test('both survive a lost connection after a long silence, because only outages count', async () => {
    const waits = await beginBoth(5);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 });
    await running.stop('SIGKILL');
    await startAgain();
    for (const over of waits) expect((await over).status).toBe('complete');
  });

  test('both throw the connection error if an outage lasts too long, and end immediately on abort', async () => {
    const controller = new AbortController();
    const aborted = await beginBoth(30, controller.signal);
    const waits = await beginBoth(30);
    await running.stop('SIGKILL');
    try {
      for (const over of [...waits, ...aborted]) {
        expect(await Promise.race([over.catch(() => 'given up'), sleep(500, 'waiting')])).toBe('waiting');
      }
      const begin = performance.now();
      const reason = new Error('The caller went home.');
      controller.abort(reason);
      for (const over of aborted) await expect(over).rejects.toBe(reason);
      expect(performance.now() - begin).toBeLessThan(1000);

      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 121_000 });
      for (const over of waits) await expect(over).rejects.toBeInstanceOf(ConnectionError);
    } finally {
      vi.useRealTimers();
      await startAgain();
    }
  });
});
