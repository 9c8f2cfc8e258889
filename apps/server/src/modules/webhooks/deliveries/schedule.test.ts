import { setTimeout as sleep } from 'node:timers/promises';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import { openReceiver } from '@assay/testing/service/receiver.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { fire, isNonePending, subscribe, untilDeliveries } from '@assay/testing/service/webhooks.ts';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { readConfig } from '#config/config.ts';
import { retryAfterSeconds, waitMillisAfter } from './schedule.ts';

const documentedWaits = [0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
/** Three days compressed to 15 seconds. */
const timeScale = 1 / 18_000;
const scaledWaits = documentedWaits.map((seconds) => seconds * timeScale);

const api = await openTestApi({
  ...liftedLimits,
  WORKER_QUEUES: 'webhook',
  WEBHOOK_WAITS_SECONDS: scaledWaits.join(','),
});
await openTestWorker(api.config);
const workspace = await api.makeWorkspace();
const sandbox = api.client(workspace.sandboxKey);
const { submissionId } = await submit(sandbox, [await uploadText(sandbox)]);

describe('the waits before the attempts', () => {
  test('are the documented ones unless the operator sets different ones', () => {
    expect(readConfig(inject('environment')).WEBHOOK_WAITS_SECONDS).toEqual(documentedWaits);
    expect(api.config.WEBHOOK_WAITS_SECONDS).toEqual(scaledWaits);
  });

  test('are each multiplied by a factor of 0.8 to 1.2, and there is none after the last attempt', () => {
    for (const [attemptCount, seconds] of documentedWaits.entries()) {
      for (const random of [0, 0.5, 0.999]) {
        const wait = waitMillisAfter(attemptCount, documentedWaits, 0, random) ?? Number.NaN;
        expect(wait).toBeGreaterThanOrEqual(800 * seconds);
        expect(wait).toBeLessThanOrEqual(1200 * seconds);
      }
    }
    expect(waitMillisAfter(2, documentedWaits, 0, 0)).not.toBe(waitMillisAfter(2, documentedWaits, 0, 1));
    expect(waitMillisAfter(10, documentedWaits, 0, 0.5)).toBeUndefined();
  });

  test('are extended up to a day by the Retry-After of a 429 or 503, and are never shortened by it', () => {
    const now = new Date('2026-01-05T09:30:00Z');
    expect(retryAfterSeconds(429, '120', now)).toBe(120);
    expect(retryAfterSeconds(503, 'Mon, 05 Jan 2026 09:32:00 GMT', now)).toBe(120);
    for (const [status, header] of [
      [500, '120'],
      [200, '120'],
      [429, 'soon'],
      [429, '-5'],
      [429, undefined],
      [503, 'Mon, 05 Jan 2026 09:00:00 GMT'],
    ] as const) {
      expect(retryAfterSeconds(status, header, now)).toBe(0);
    }
    expect(waitMillisAfter(1, documentedWaits, 120, 0.5)).toBe(120_000);
    expect(waitMillisAfter(9, documentedWaits, 120, 0.5)).toBe(86_400_000);
    expect(waitMillisAfter(1, documentedWaits, 10 * 86_400, 0.5)).toBe(86_400_000);
  });
});

describe('the delivery schedule', () => {
  test('all ten attempts are made when they are due and not before, after which the delivery has failed', async () => {
    const receiver = await openReceiver((_, response) => response.writeHead(500).end('not today'));
    onTestFinished(() => receiver.close());
    const subscription = await subscribe(sandbox, receiver.url);
    await fire(sandbox, submissionId);
    const [delivery] = await untilDeliveries(sandbox, subscription, isNonePending, 90);
    expect(delivery).toMatchObject({ status: 'failed', attemptCount: 10, maxAttempts: 10, nextAttemptAt: null });
    expect(receiver.received).toHaveLength(10);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([delivery.eventId]));

    const rows = delivery.attempts.map(
      ({ startedAt, durationMs }: { startedAt: string; durationMs: number }, i: number) => {
        const before = i === 0 ? undefined : delivery.attempts[i - 1];
        const waited = before ? Date.parse(startedAt) - Date.parse(before.startedAt) - before.durationMs : 0;
        return { attempt: i + 1, plannedMillis: Math.round((scaledWaits[i] ?? 0) * 1000), waited, durationMs };
      },
    );
    console.table(rows);
    for (const { plannedMillis, waited } of rows) {
      expect(waited).toBeGreaterThanOrEqual(0.8 * plannedMillis - 5);
      expect(waited).toBeLessThan(1.2 * plannedMillis + 3000); // slack for a busy machine
    }
    await sleep(1000);
    expect(receiver.received).toHaveLength(10);
  }, 120_000);

  test('a receiver can extend a wait with Retry-After', async () => {
    const receiver = await openReceiver((_, response) => {
      response.writeHead(receiver.received.length === 1 ? 429 : 200, { 'retry-after': '3' }).end();
    });
    onTestFinished(() => receiver.close());
    const subscription = await subscribe(sandbox, receiver.url);
    await fire(sandbox, submissionId);
    const [delivery] = await untilDeliveries(sandbox, subscription, isNonePending);
    const [first, second] = delivery.attempts;
    expect(Date.parse(second.startedAt) - Date.parse(first.startedAt)).toBeGreaterThanOrEqual(3000);
    expect(delivery).toMatchObject({ status: 'succeeded', attemptCount: 2, lastResponseStatus: 200 });
  });
});
