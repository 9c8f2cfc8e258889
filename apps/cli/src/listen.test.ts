import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { unwrap } from '@assay/sdk';
import { liftedLimits, openTestApi, openTestWorker, testEnvironment } from '@assay/testing/service/api.ts';
import { startServerProcess } from '@assay/testing/service/api-process.ts';
import { openReceiver } from '@assay/testing/service/receiver.ts';
import { submit, untilFinished, uploadText } from '@assay/testing/service/submissions.ts';
import { fire } from '@assay/testing/service/webhooks.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openAssay, type RunningProcess, waitUntil } from '../test/run-assay.ts';

// This API creates the events and is never stopped. The first test restarts another API, which streams them.
const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,sandbox,document' });
await openTestWorker(api.config);
const workspace = await api.makeWorkspace();
const sandbox = api.client(workspace.sandboxKey);

async function simulate(assetCount: number): Promise<string> {
  const paths: string[] = [];
  for (let i = 0; i < assetCount; i++) paths.push(await uploadText(sandbox));
  const { submissionId } = await submit(sandbox, paths, {}, '?simulationDelaySeconds=0');
  await untilFinished(sandbox, submissionId);
  return submissionId;
}

async function listen(url: string, forwardTo: string, ...args: string[]) {
  const assay = openAssay(url, workspace.sandboxKey);
  const listening = assay.start(['listen', '--forward-to', forwardTo, ...args]);
  onTestFinished(() => void listening.child.kill('SIGKILL'));
  await waitUntil(() => listening.printed.stderr.includes('Ctrl-C'));
  return listening;
}

describe('assay listen', () => {
  test('delivers 1,000 events exactly once and in creation order, although the API restarts', async () => {
    const port = await freePort();
    const environment = testEnvironment({
      ...liftedLimits,
      API_PORT: String(port),
      REDIS_KEY_PREFIX: api.config.REDIS_KEY_PREFIX,
    });
    let streamServer = await startServerProcess('api', environment);
    onTestFinished(async () => void (await streamServer.stop('SIGKILL')));
    // The receiver is slower than the events are created, so many are undelivered when the connection breaks.
    const receiver = await openReceiver(async (_, response) => {
      await sleep(3);
      response.end();
    });
    onTestFinished(() => receiver.close());
    const submissionId = await simulate(50);
    const listening = await listen(streamServer.url, receiver.url);

    for (let i = 0; i < 20; i++) {
      await fire(sandbox, submissionId);
      if (i === 5) await receiver.until(1);
      if (i === 9) {
        const isBroken = streamServer.stop('SIGKILL');
        await fire(sandbox, submissionId); // while the API is down
        await isBroken;
        streamServer = await startServerProcess('api', environment);
        i += 1;
      }
    }
    await receiver.until(1000, undefined, 90);
    const made = await api.handles.db
      .selectFrom('events')
      .select('event_id')
      .where('submission_id', '=', submissionId)
      .orderBy('event_id')
      .execute();
    expect(made).toHaveLength(1000);
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(made.map((one) => one.event_id));
    expect(listening.printed.stderr).toContain('Reconnected');
    await waitUntil(() => linesOf(listening).length === 1000);
    listening.child.kill('SIGINT');
    const { code, stderr } = await listening.ended;
    expect(code).toBe(130);
    expect(stderr).toContain('1,000 events forwarded.');
  }, 180_000);

  test('signs forwarded events with the printed secret, so that unwrap of the SDK accepts them', async () => {
    const receiver = await openReceiver();
    onTestFinished(() => receiver.close());
    const listening = await listen(api.url, receiver.url);
    const submissionId = await simulate(1);
    await fire(sandbox, submissionId, { eventType: 'asset.processing.failed', errorMessage: 'Überlauf — “voll”' });
    const [one] = await receiver.until(1);
    const secret = /whsec_\S+/.exec(listening.printed.stderr)?.[0] ?? '';
    const event = await unwrap(one?.body ?? '', one?.headers ?? {}, secret);
    expect(event).toMatchObject({ type: 'asset.processing.failed', data: { error_message: 'Überlauf — “voll”' } });
    expect(one?.headers['webhook-id']).toBe(event.id);
    expect(one?.body).toBe(JSON.stringify(event));
    await expect(unwrap(`${one?.body} `, one?.headers ?? {}, secret)).rejects.toThrow('The signature does not match');
    const assetId = event.type === 'asset.processing.failed' ? event.data.asset_id : 'none';
    await waitUntil(() => listening.printed.stdout.includes(assetId));
    expect(listening.printed.stdout).toMatch(
      /^\d\d:\d\d:\d\d {2}sandbox {2}asset\.processing\.failed +\S+ {2}200 \d+ ms\n$/,
    );
  });

  test('shows live and sandbox events, each marked with its mode, and prints at the start that it shows both', async () => {
    const receiver = await openReceiver();
    onTestFinished(() => receiver.close());
    const listening = await listen(api.url, receiver.url);
    expect(listening.printed.stderr).toContain('live and sandbox');
    const live = api.client(workspace.liveKey);
    await submit(live, [await uploadText(live)]);
    await fire(sandbox, await simulate(1));
    await waitUntil(() => linesOf(listening).length === 3); // live: the asset's end, and the submission's
    const modes = linesOf(listening).map((line) => line.split(/ +/)[1]);
    expect(modes.toSorted()).toEqual(['live', 'live', 'sandbox']);
    expect((await openAssay(api.url).run(['listen', '--help'])).stdout).toMatch(/live and sandbox/);
  });

  test('delivers all events in order to a receiver that was briefly unavailable', async () => {
    const port = await freePort();
    const listening = await listen(api.url, `http://127.0.0.1:${port}`, '--event-types', 'asset.processing.completed');
    const submissionId = await simulate(3);
    await fire(sandbox, submissionId, { eventType: 'asset.processing.failed' }); // of a type that was not requested
    await fire(sandbox, submissionId);
    const ids: string[] = [];
    const server = createServer((request, response) => {
      ids.push(String(request.headers['webhook-id']));
      response.end();
    });
    onTestFinished(() => void server.close());
    setTimeout(() => server.listen(port, '127.0.0.1'), 1200);
    await waitUntil(() => linesOf(listening).length === 3);
    expect(ids).toHaveLength(3);
    expect(ids).toEqual(ids.toSorted());
    expect(listening.printed.stdout).toMatch(/200 \d+ ms, [2-5] attempts/);
  });

  test('reports an event that could not be delivered and continues with the next one', async () => {
    const port = await freePort();
    const listening = await listen(api.url, `http://127.0.0.1:${port}`, '--json');
    await fire(sandbox, await simulate(2));
    await waitUntil(() => linesOf(listening).length > 0);
    const server = createServer((_, response) => response.end()).listen(port, '127.0.0.1');
    onTestFinished(() => void server.close());
    await waitUntil(() => linesOf(listening).length > 1);
    const [first, second] = linesOf(listening).map((line) => JSON.parse(line));
    expect(first.event.type).toBe('asset.processing.completed');
    expect(first.forwarded).toMatchObject({ status: null, attemptCount: 5, error: 'ECONNREFUSED' });
    expect(second.forwarded).toMatchObject({ status: 200, error: null });
  });

  test('exits with 5 for a live key and reports that a sandbox key is needed', async () => {
    const { code, stderr } = await openAssay(api.url, workspace.liveKey).run([
      'listen',
      '--forward-to',
      'http://127.0.0.1:9',
    ]);
    expect(code).toBe(5);
    expect(stderr).toContain('sandbox key');
  });

  test('receives the event that assay trigger fires for a new submission', async () => {
    const receiver = await openReceiver();
    onTestFinished(() => receiver.close());
    await listen(api.url, receiver.url);
    const assay = openAssay(api.url, workspace.sandboxKey);
    const { code, stdout } = await assay.run([
      'trigger',
      'asset.processing.failed',
      '--error-message',
      'Full.',
      '--json',
    ]);
    expect(code).toBe(0);
    const [one] = await receiver.until(1);
    expect(one?.event.data).toMatchObject({ submission_id: JSON.parse(stdout).submissionId, error_message: 'Full.' });
  });
});

function linesOf({ printed }: RunningProcess): string[] {
  return printed.stdout.split('\n').slice(0, -1);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
