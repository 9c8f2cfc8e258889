import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import { openReceiver } from '@assay/testing/service/receiver.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { fire, subscribe, subscriptionPath } from '@assay/testing/service/webhooks.ts';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { WorkspaceId } from '#call/caller.ts';
import { cancelPendingDeliveries, updateSubscription } from '../subscriptions/subscription-store.ts';
import { recordAttempt } from './delivery-store.ts';

const api = await openTestApi(liftedLimits); // without a worker: fired events stay pending
const { db } = api.handles;
const receiver = await openReceiver();
afterAll(() => receiver.close());

test('recording an attempt while its subscription is disabled does not deadlock', async () => {
  const { liveKey, sandboxKey, ...workspace } = await api.makeWorkspace();
  const workspaceId = workspace.workspaceId as WorkspaceId;
  const [live, sandbox] = [api.client(liveKey), api.client(sandboxKey)];
  const subscription = await subscribe(live, receiver.url);
  const { submissionId } = await submit(sandbox, [await uploadText(sandbox)]);
  await fire(sandbox, submissionId, { eventType: 'asset.processing.completed' });
  const [made] = (await live.get(`${subscriptionPath(subscription)}/deliveries`)).body.deliveries;

  const now = new Date();
  let recording: Promise<unknown> = Promise.resolve();
  await db.transaction().execute(async (transaction) => {
    await updateSubscription(transaction, workspaceId, subscription.subscriptionId, { isActive: false }, now);
    recording = recordAttempt(db, workspaceId, successfulAttempt(made.deliveryId, now));
    await untilLockWait();
    await cancelPendingDeliveries(transaction, workspaceId, { subscriptionId: subscription.subscriptionId }, now);
  });
  await recording;
  const [after] = (await live.get(`${subscriptionPath(subscription)}/deliveries`)).body.deliveries;
  expect(after).toMatchObject({ status: 'cancelled', attemptCount: 0 });
});

function successfulAttempt(deliveryId: string, now: Date) {
  return {
    deliveryId,
    attempt: {
      attemptNumber: 1,
      startedAt: now.toISOString(),
      durationMs: 1,
      trigger: 'automatic' as const,
      url: receiver.url,
      responseStatus: 200,
      responseBody: '',
      errorCode: null,
      errorMessage: null,
    },
    status: 'succeeded' as const,
    nextAttemptAt: null,
    lookAfterAt: now,
    disable: null,
    failingSinceMax: new Date(0),
    now,
  };
}

async function untilLockWait(): Promise<void> {
  const waiting = sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await waiting.execute(db)).rows[0]?.count, { timeout: 60_000 }).toBeGreaterThan(0);
}
