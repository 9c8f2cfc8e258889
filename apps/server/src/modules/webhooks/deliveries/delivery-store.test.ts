import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import { openOwnerDb } from '@assay/testing/service/owner-db.ts';
import { openReceiver } from '@assay/testing/service/receiver.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { fire, subscribe, subscriptionPath } from '@assay/testing/service/webhooks.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WorkspaceId } from '#call/caller.ts';
import { cancelPendingDeliveries, updateSubscription } from '../subscriptions/subscription-store.ts';
import { insertReplays, listDeliveries, recordAttempt } from './delivery-store.ts';

const api = await openTestApi(liftedLimits); // without a worker: fired events stay pending
const ownerDb = openOwnerDb();
const { db } = api.handles;
const receiver = await openReceiver();
afterAll(() => receiver.close());

/** A subscription with one pending delivery, and a function that adds deliveries like it. */
async function createFixture() {
  const { liveKey, sandboxKey, ...workspace } = await api.makeWorkspace();
  const workspaceId = workspace.workspaceId as WorkspaceId;
  const [live, sandbox] = [api.client(liveKey), api.client(sandboxKey)];
  const subscription = await subscribe(live, receiver.url);
  const { subscriptionId } = subscription;
  const { submissionId } = await submit(sandbox, [await uploadText(sandbox)]);
  await fire(sandbox, submissionId, { eventType: 'asset.processing.completed' });
  const list = async (query = '') =>
    (await live.get(`${subscriptionPath(subscription)}/deliveries${query}`)).body.deliveries;
  const [pending] = await list();
  return {
    workspaceId,
    subscriptionId,
    live,
    subscription,
    pending,
    list,
    countByStatus: async () => {
      const { rows } = await sql<{ status: string; count: number }>`
        select status, count(*)::int as count from deliveries where subscription_id = ${subscriptionId}
        group by status`.execute(db);
      return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
    },
    /** Each has an event of its own, as far as the deliveries know, and is not due before an hour. */
    addDeliveries: (status: string, count: number) =>
      sql`
      insert into deliveries (delivery_id, workspace_id, subscription_id, event_id, event_type, livemode, trigger,
        status, max_attempts, look_after_at, next_attempt_at, created_at, completed_at)
      select uuid_v7(), workspace_id, subscription_id, uuid_v7(), event_type, livemode, trigger, ${status}::text, 10,
        now() + interval '1 hour', ${status === 'pending' ? sql`now() + interval '1 hour'` : sql`null`}, created_at,
        ${status === 'pending' ? sql`null` : sql`created_at`}
      from deliveries, generate_series(1, ${count}::int) where delivery_id = ${pending.deliveryId}`.execute(db),
  };
}

/** How many rows of deliveries PostgreSQL reads for this work, in all months. */
async function countReadRows(work: (transaction: typeof db) => Promise<unknown>): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const count = async () => {
      const { rows } = await sql<{ count: number }>`
        select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as count
        from pg_stat_xact_user_tables where relname like 'deliveries\\_%'`.execute(transaction);
      return rows[0]?.count ?? 0;
    };
    const before = await count();
    await work(transaction);
    return (await count()) - before;
  });
}

describe('a subscription with 5,000 deliveries, of which three failed', async () => {
  const fixture = await createFixture();
  const { workspaceId, subscriptionId } = fixture;
  beforeAll(async () => {
    await fixture.addDeliveries('succeeded', 5000);
    await fixture.addDeliveries('failed', 3);
    await sql`analyze deliveries`.execute(ownerDb);
  });
  const anyTime = { createdAfter: undefined, createdBefore: undefined, beforeId: undefined };

  test('the failed ones are listed without reading the others', async () => {
    expect(await fixture.list('?status=failed')).toHaveLength(3);
    const filters = [
      { statuses: ['failed' as const], eventTypes: undefined },
      { statuses: undefined, eventTypes: ['asset.processing.failed' as const] },
    ];
    for (const filter of filters) {
      const list = (t: typeof db) =>
        listDeliveries(t, workspaceId, subscriptionId, { ...filter, ...anyTime, limit: 101 });
      expect(await countReadRows(list)).toBeLessThanOrEqual(2 * 3);
    }
  });

  test('the failed ones are replayed without reading the others', async () => {
    const now = new Date();
    const range = { since: new Date(0), until: now, statuses: ['failed' as const], eventTypes: undefined };
    const replay = (t: typeof db) => insertReplays(t, workspaceId, subscriptionId, range, now);
    expect(await countReadRows(replay)).toBeLessThanOrEqual(3 * 3);
    expect(await fixture.countByStatus()).toEqual({ pending: 1 + 3, succeeded: 5000, failed: 3 });
  });
});

test('a subscription with a long queue is paused at once, and all its deliveries are cancelled', async () => {
  const fixture = await createFixture();
  await fixture.addDeliveries('pending', 2500);
  const locked = Promise.withResolvers<void>();
  const isPaused = Promise.withResolvers<void>();
  // An attempt that hangs while it is recorded: the queue cannot be cancelled yet.
  const recording = db.transaction().execute(async (transaction) => {
    await sql`select from deliveries where delivery_id = ${fixture.pending.deliveryId} for update`.execute(transaction);
    locked.resolve();
    await isPaused.promise;
  });
  await locked.promise;
  const pause = () => fixture.live.patch(subscriptionPath(fixture.subscription), { isActive: false });
  expect((await pause()).status).toBe(502);
  expect((await fixture.live.get(subscriptionPath(fixture.subscription))).body.isActive).toBe(false);
  isPaused.resolve();
  await recording;
  expect((await pause()).status).toBe(200);
  expect(await fixture.countByStatus()).toEqual({ cancelled: 2501 });
});

test('the deliveries of an active subscription are not cancelled, for it may have been reactivated meanwhile', async () => {
  const { workspaceId, subscriptionId, countByStatus } = await createFixture();
  await cancelPendingDeliveries(db, workspaceId, subscriptionId, new Date());
  expect(await countByStatus()).toEqual({ pending: 1 });
});

test('recording an attempt while its subscription is disabled does not deadlock', async () => {
  const { workspaceId, subscriptionId, pending, list } = await createFixture();
  const now = new Date();
  let recording: Promise<unknown> = Promise.resolve();
  await db.transaction().execute(async (transaction) => {
    await updateSubscription(transaction, workspaceId, subscriptionId, { isActive: false }, now);
    recording = recordAttempt(db, workspaceId, successfulAttempt(pending.deliveryId, now));
    await untilLockWait();
    await cancelPendingDeliveries(transaction, workspaceId, subscriptionId, now);
  });
  await recording;
  const [after] = await list();
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
