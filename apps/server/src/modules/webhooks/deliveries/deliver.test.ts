import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blockedAttemptsMax } from '@assay/contract/limits.ts';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import { openReceiver, type Receiver } from '@assay/testing/service/receiver.ts';
import { assetPath, submit, submitAndCancel, uploadText } from '@assay/testing/service/submissions.ts';
import { fire, isNonePending, subscribe, subscriptionPath, untilDeliveries } from '@assay/testing/service/webhooks.ts';
import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';

const toHours = (seconds: number) => String(seconds / 3600);
const api = await openTestApi({
  ...liftedLimits,
  WORKER_QUEUES: 'control,sandbox,document,webhook',
  WEBHOOK_WAITS_SECONDS: '0,0,0,0,0,0,0,0,0,0',
  WEBHOOK_TIMEOUT_SECONDS: '2',
  WEBHOOK_DISABLE_AFTER_HOURS: toHours(4),
});
await openTestWorker(api.config);

/** A separate workspace for each test, so that tests do not receive each other’s events. */
async function createFixture(answer?: Parameters<typeof openReceiver>[0]) {
  const { liveKey, sandboxKey } = await api.makeWorkspace();
  const receiver = await openReceiver(answer);
  receivers.push(receiver);
  return { receiver, live: api.client(liveKey), sandbox: api.client(sandboxKey) };
}
const receivers: Receiver[] = [];
afterAll(() => {
  for (const receiver of receivers) receiver.close();
});

// Bypasses the check of the URL, as if its host name had resolved to a different address at creation.
const setUrl = (subscriptionId: string, url: string) =>
  api.handles.db.updateTable('subscriptions').set({ url }).where('subscription_id', '=', subscriptionId).execute();

async function fireOnce(sandbox: Awaited<ReturnType<typeof createFixture>>['sandbox'], assetCount = 1) {
  const blobPaths = await Promise.all(Array.from({ length: assetCount }, () => uploadText(sandbox)));
  const { submissionId } = await submit(sandbox, blobPaths);
  await fire(sandbox, submissionId);
  return submissionId;
}

describe('an event', () => {
  test('is sent when an asset has finished, and the API already returns the asset as complete (§1j, §6a)', async () => {
    const { live, receiver } = await createFixture();
    const read = Promise.withResolvers<{ status: string; issueCount: number }>();
    receiver.answerWith(async ({ event: { data } }, response) => {
      read.resolve((await live.get(`/submissions/${data.submission_id}/assets/${data.asset_id}`)).body);
      response.end();
    });
    await subscribe(live, receiver.url);
    const { submissionId, assets } = await submit(live, [await uploadText(live)]);
    const [one] = await receiver.until(1);
    expect(await read.promise).toMatchObject({ status: 'complete', issueCount: 0 });
    expect(one?.event).toMatchObject({
      type: 'asset.processing.completed',
      livemode: true,
      data: { asset_id: assets[0]?.assetId, submission_id: submissionId, status: 'complete', issue_count: 0 },
    });
    expect(Object.keys(one?.event.data).filter((name) => /[A-Z]/.test(name))).toEqual([]); // §2c
  });

  test('is sent with the documented payload when an asset fails or is cancelled (§6b)', async () => {
    const { live, receiver } = await createFixture();
    await subscribe(live, receiver.url);
    const created = await submitAndCancel(live);
    const [one] = await receiver.until(1);
    const { body } = await live.get(`/submissions/${created.submissionId}`);
    expect(one?.event).toEqual({
      id: one?.headers['webhook-id'],
      type: 'asset.processing.failed',
      timestamp: expect.any(String),
      livemode: true,
      data: {
        asset_id: created.assets[0]?.assetId,
        submission_id: created.submissionId,
        workspace_id: body.workspaceId,
        status: 'failed',
        error_message: body.assets[0].errorMessage,
        error_type: 'cancelled',
        is_retryable: true,
        retry_count: 0,
        version_group_id: created.assets[0]?.versionGroupId,
        version_number: 1,
        verdict: 'not_checked',
        severity_counts: null,
        status_counts: null,
        blocking_count: null,
        review_count: null,
        waived_count: null,
        profile: { name: 'general', revision: body.profile.revision, fail_on: 'MAJOR' },
        failed_at: body.completedAt,
      },
    });
  });

  test('with an id of its own is sent when a retried asset has finished', async () => {
    const { live, receiver } = await createFixture();
    await subscribe(live, receiver.url);
    const created = await submitAndCancel(live);
    await live.post(`${assetPath(created)}/retry`);
    const [first, second] = await receiver.until(2);
    expect(second?.event.data).toMatchObject({
      asset_id: created.assets[0]?.assetId,
      status: 'complete',
      retry_count: 1,
    });
    expect(second?.event.id).not.toBe(first?.event.id);
  });

  test('is sent only to active subscriptions of the workspace that match its type and mode (§6c)', async () => {
    const { live, receiver } = await createFixture();
    const other = await createFixture();
    await subscribe(live, `${receiver.url}/both`);
    await subscribe(live, `${receiver.url}/completed`, { eventTypes: ['asset.processing.completed'] });
    await subscribe(live, `${receiver.url}/failed`, { eventTypes: ['asset.processing.failed'] });
    await subscribe(live, `${receiver.url}/sandbox`, { mode: 'sandbox' });
    await live.patch(subscriptionPath(await subscribe(live, `${receiver.url}/inactive`)), { isActive: false });
    await subscribe(other.live, `${receiver.url}/other-workspace`);
    await submit(live, [await uploadText(live)]);
    await receiver.until(2);
    await submitAndCancel(live);
    await receiver.until(4);
    const paths = receiver.received.map(({ path, event }) => `${path} ${event.data.status}`);
    expect(paths.sort()).toEqual(['/both complete', '/both failed', '/completed complete', '/failed failed']);
  });

  test('is sent for a simulated run only when it is fired, and is then signed like a real one (§6e)', async () => {
    const { sandbox, receiver } = await createFixture();
    const { secret } = await subscribe(sandbox, receiver.url);
    const submissionId = await fireOnce(sandbox);
    await sandbox.post(`/submissions/${submissionId}/cancel`);
    const [one] = await receiver.until(1);
    expect(new Webhook(secret).verify(one?.body ?? '', one?.headers ?? {})).toMatchObject({ livemode: false });
    expect(receiver.received).toHaveLength(1);
  });
});

describe('the signature of every attempt', () => {
  test('is valid for the Standard Webhooks library, which rejects a changed body, an old timestamp or a wrong secret', async () => {
    const { sandbox, receiver } = await createFixture((_, response) => {
      response.writeHead(receiver.received.length < 3 ? 500 : 200).end();
    });
    const { secret } = await subscribe(sandbox, receiver.url);
    await fireOnce(sandbox);
    const attempts = await receiver.until(3);
    for (const { body, headers } of attempts) {
      expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
      expect(() => new Webhook(secret).verify(body.replace('complete', 'completE'), headers)).toThrow('No matching');
      const old = { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 600) };
      expect(() => new Webhook(secret).verify(body, old)).toThrow('too old');
      expect(() => new Webhook(`whsec_${'A'.repeat(16)}`).verify(body, headers)).toThrow('No matching');
    }
    expect(new Set(attempts.map(({ body }) => body)).size).toBe(1);
  });
});

describe('a subscription', () => {
  test('is disabled at once by a 410 response, and its pending deliveries are cancelled', async () => {
    const { sandbox, receiver } = await createFixture((_, response) => response.writeHead(410).end());
    const subscription = await subscribe(sandbox, receiver.url);
    await fireOnce(sandbox, 8);
    const deliveries = await untilDeliveries(sandbox, subscription, isNonePending);
    expect((await sandbox.get(subscriptionPath(subscription))).body).toMatchObject({
      isActive: false,
      disabledReason: 'gone',
      disabledAt: expect.any(String),
    });
    const failed = deliveries.filter(({ status }) => status === 'failed');
    expect(failed.length).toBeGreaterThanOrEqual(1);
    expect(failed.every(({ attemptCount }) => attemptCount === 1)).toBe(true);
    expect(failed.length + deliveries.filter(({ status }) => status === 'cancelled').length).toBe(8);
  });

  test('is disabled when five attempts at a delivery were blocked, not at the first one', async () => {
    const { sandbox, receiver } = await createFixture();
    const subscription = await subscribe(sandbox, receiver.url);
    await setUrl(subscription.subscriptionId, 'https://10.0.0.1/');
    await fireOnce(sandbox);
    const [delivery] = await untilDeliveries(sandbox, subscription, isNonePending);
    expect(delivery.attempts.map(({ errorCode }: { errorCode: string }) => errorCode)).toEqual(
      Array(blockedAttemptsMax).fill('blocked_address'),
    );
    const { body } = await sandbox.get(subscriptionPath(subscription));
    expect(body).toMatchObject({ isActive: false, disabledReason: 'blocked_address' });
  });

  test('continues if its address is blocked only for a few attempts', async () => {
    const { sandbox, receiver } = await createFixture();
    const subscription = await subscribe(sandbox, receiver.url);
    await setUrl(subscription.subscriptionId, 'https://10.0.0.1/');
    await fireOnce(sandbox);
    await untilDeliveries(sandbox, subscription, ([delivery]) => delivery?.attemptCount > 0);
    await setUrl(subscription.subscriptionId, receiver.url);
    const [delivery] = await untilDeliveries(sandbox, subscription, isNonePending);
    expect(delivery.status).toBe('succeeded');
    expect(delivery.attempts[0].errorCode).toBe('blocked_address');
    expect((await sandbox.get(subscriptionPath(subscription))).body).toMatchObject({ isActive: true });
  });

  test('is disabled after five or more failures over the configured time, and can be reactivated and replayed', async () => {
    const { sandbox, receiver } = await createFixture((_, response) => response.writeHead(500).end());
    const subscription = await subscribe(sandbox, receiver.url);
    const since = new Date().toISOString();
    await fireOnce(sandbox);
    const path = subscriptionPath(subscription);
    const [delivery] = await untilDeliveries(sandbox, subscription, isNonePending);
    const { body } = await sandbox.get(path);
    expect(body).toMatchObject({ isActive: false, disabledReason: 'consecutive_failures' });
    expect(body.consecutiveFailureCount).toBeGreaterThanOrEqual(5);
    expect(body.consecutiveFailureCount).toBeLessThan(10);
    const [first, last] = [delivery.attempts[0], delivery.attempts.at(-1)];
    expect(Date.parse(last.startedAt) - Date.parse(first.startedAt)).toBeGreaterThanOrEqual(3900);

    receiver.answerWith((_, response) => response.end());
    const replay = { since, statuses: ['failed', 'cancelled'] };
    expect((await sandbox.post(`${path}/replay`, replay)).status).toBe(409);
    const { body: active } = await sandbox.patch(path, { isActive: true });
    expect(active).toMatchObject({ isActive: true, disabledReason: null, consecutiveFailureCount: 0 });
    expect((await sandbox.post(`${path}/replay`, replay)).body).toEqual({ enqueued: 1 });
    const all = await untilDeliveries(sandbox, subscription, (list) =>
      list.some(({ status }) => status === 'succeeded'),
    );
    expect(all[0]).toMatchObject({ isReplay: true, eventId: delivery.eventId, status: 'succeeded' });
  });

  test('is not disabled if a success between failures resets the failure count', async () => {
    const { sandbox, receiver } = await createFixture((_, response) => {
      response.writeHead(receiver.received.length % 4 === 0 ? 200 : 500).end();
    });
    const subscription = await subscribe(sandbox, receiver.url);
    await fireOnce(sandbox, 3);
    await untilDeliveries(sandbox, subscription, isNonePending, 60);
    expect((await sandbox.get(subscriptionPath(subscription))).body).toMatchObject({
      isActive: true,
      lastSuccessAt: expect.any(String),
    });
  }, 60_000);
});

describe('the record of an attempt', () => {
  const attemptAt = async (url: string, answer?: Parameters<typeof openReceiver>[0]) => {
    const { sandbox, receiver } = await createFixture(answer);
    const { subscriptionId } = await subscribe(sandbox, receiver.url);
    if (url !== '') await setUrl(subscriptionId, url);
    const { body } = await sandbox.post(`${subscriptionPath({ subscriptionId })}/test`);
    return body;
  };

  test('contains the status and the body of a 200 response', async () => {
    expect(await attemptAt('', (_, response) => response.end('thanks'))).toMatchObject({
      responseStatus: 200,
      responseBody: 'thanks',
      errorCode: null,
    });
  });

  test.each([301, 302, 303, 307, 308])(
    'shows a %d redirect as a failure, and the redirect is not followed',
    async (status) => {
      const target = await openReceiver();
      receivers.push(target);
      const attempt = await attemptAt('', (_, response) => response.writeHead(status, { location: target.url }).end());
      expect(attempt).toMatchObject({ responseStatus: status, errorCode: 'redirect' });
      expect(target.received).toHaveLength(0);
    },
  );

  test('shows timeout for a receiver that hangs', async () => {
    expect(await attemptAt('', () => {})).toMatchObject({ responseStatus: null, errorCode: 'timeout' });
  });

  test('shows connect for a closed port and for a connection that is reset', async () => {
    expect(await attemptAt('http://127.0.0.1:9/')).toMatchObject({ errorCode: 'connect' });
    const reset = await attemptAt('', (_, __, request) => request.socket.resetAndDestroy());
    expect(reset).toMatchObject({ errorCode: 'connect' });
  });

  test('shows dns for an unknown host name', async () => {
    expect(await attemptAt('https://nobody.invalid/')).toMatchObject({ errorCode: 'dns' });
  });

  test('shows tls for an untrusted certificate', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'assay-tls-'));
    const [key, cert] = [join(dir, 'key'), join(dir, 'cert')];
    const subject = ['-subj', '/CN=localhost', '-days', '1'];
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, ...subject],
      {
        stdio: 'ignore',
      },
    );
    const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) =>
      response.end(),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    expect(await attemptAt(`https://127.0.0.1:${port}/`)).toMatchObject({ errorCode: 'tls' });
  });

  test('shows blocked_address for an address that webhooks are not sent to', async () => {
    expect(await attemptAt('https://10.0.0.1/')).toMatchObject({ errorCode: 'blocked_address' });
  });

  test('contains only 4 KiB of an endless response, and the status of a response that is too slow', async () => {
    let sentBytes = 0;
    const endless = await attemptAt('', (_, response) => {
      const send = () => {
        while (!response.destroyed && sentBytes < 1e9 && response.write('x'.repeat(16_384))) sentBytes += 16_384;
      };
      response.on('drain', send);
      send();
    });
    expect(endless).toMatchObject({ responseStatus: 200, responseBody: 'x'.repeat(4096), errorCode: null });
    expect(sentBytes).toBeLessThan(20e6); // no more than what fits into the socket buffers

    const trickled = await attemptAt('', (_, response) => {
      const timer = setInterval(() => response.write('.'), 300);
      response.on('close', () => clearInterval(timer));
    });
    expect(trickled).toMatchObject({ responseStatus: 200, errorCode: null });
    expect(trickled.durationMs).toBeLessThan(10_000);
  });
});
