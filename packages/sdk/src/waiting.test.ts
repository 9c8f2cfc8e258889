import { setTimeout as sleep } from 'node:timers/promises';
import { Assay, ConnectionError, followByTicket, type Submission } from '@assay/sdk';
import { readConfig } from '@assay/server/config/config.ts';
import { liftedLimits, openTestApi, openTestWorker, testEnvironment } from '@assay/testing/service/api.ts';
import { type ServerProcess, startServerProcess } from '@assay/testing/service/api-process.ts';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';

const environment = testEnvironment({ ...liftedLimits, WORKER_QUEUES: 'sandbox' });
const { sandboxKey } = await (await openTestApi()).makeWorkspace();
await openTestWorker(readConfig(environment));
let server: ServerProcess = await startServerProcess('api', environment);
const { url } = server;
afterAll(() => server.stop());
afterEach(() => vi.useRealTimers());

/** Starts a new server process at the same address. */
async function restartServer(): Promise<void> {
  server = await startServerProcess('api', { ...environment, API_PORT: new URL(url).port });
}

const assay = new Assay({ apiKey: sandboxKey, baseUrl: url });

async function simulate(simulationDelaySeconds: number): Promise<string> {
  const { blobPath } = await assay.uploads.direct(new Blob(['a note']), 'note.txt');
  const { submissionId } = await assay.submissions.create({ assets: [{ blobPath }] }, { simulationDelaySeconds });
  return submissionId;
}

/** Waits in the background. `firstState` resolves once the first state has arrived, `finished` at the end. */
function beginWaiting(submissionId: string, options: { pollOnly: boolean; signal?: AbortSignal }) {
  const { promise: firstState, resolve } = Promise.withResolvers<Submission>();
  const finished = assay.submissions.wait(submissionId, { ...options, onUpdate: resolve });
  finished.catch(() => undefined); // a test that awaits it still gets the error
  return { firstState, finished };
}

describe('a page without an API key', () => {
  test('follows a submission with a ticket from its server', async () => {
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
  /** Waits by stream and by polling at once, so that both are tested with the same outage. */
  const beginBoth = async (simulationDelaySeconds: number, signal?: AbortSignal) => {
    const submissionId = await simulate(simulationDelaySeconds);
    const waits = ways.map((way) => beginWaiting(submissionId, { ...way, ...(signal && { signal }) }));
    for (const { firstState } of waits) expect(['submitted', 'processing']).toContain((await firstState).status);
    return waits.map(({ finished }) => finished);
  };

  test('both survive a restart of the service', async () => {
    const waits = await beginBoth(4);
    await server.stop('SIGKILL');
    await sleep(2500);
    await restartServer();
    for (const finished of waits) expect((await finished).status).toBe('complete');
  });

  test('both survive a lost connection after a long silence, because only outages count', async () => {
    const waits = await beginBoth(5);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 });
    await server.stop('SIGKILL');
    await restartServer();
    for (const finished of waits) expect((await finished).status).toBe('complete');
  });

  test('both throw the connection error if an outage lasts too long, and end immediately on abort', async () => {
    const controller = new AbortController();
    const aborted = await beginBoth(30, controller.signal);
    const waits = await beginBoth(30);
    await server.stop('SIGKILL');
    try {
      for (const finished of [...waits, ...aborted]) {
        expect(await Promise.race([finished.catch(() => 'given up'), sleep(500, 'waiting')])).toBe('waiting');
      }
      const begin = performance.now();
      const reason = new Error('The caller went home.');
      controller.abort(reason);
      for (const finished of aborted) await expect(finished).rejects.toBe(reason);
      expect(performance.now() - begin).toBeLessThan(1000);

      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 121_000 });
      for (const finished of waits) await expect(finished).rejects.toBeInstanceOf(ConnectionError);
    } finally {
      vi.useRealTimers();
      await restartServer();
    }
  });
});
