import { randomUUID } from 'node:crypto';
import { replayedDeliveriesMax } from '@assay/contract/limits.ts';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import { openReceiver, type ReceivedRequest } from '@assay/testing/service/receiver.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { fire, subscribe, subscriptionPath, untilDeliveries } from '@assay/testing/service/webhooks.ts';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, test } from 'vitest';
import { insertReplays } from './delivery-store.ts';

const apiWithWorker = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'webhook', SWEEP_SECONDS: '1' });
const apiWithoutWorker = await openTestApi(liftedLimits); // fired events stay pending
await openTestWorker(apiWithWorker.config);
const { db } = apiWithWorker.handles;
const receiver = await openReceiver();
afterAll(() => receiver.close());

const completedType = 'asset.processing.completed';
const failedType = 'asset.processing.failed';
/** The event type and status of each delivery, in the order of creation, one second apart. */
const fixtureDeliveries = [
  [completedType, 'failed'],
  [completedType, 'succeeded'],
  [failedType, 'failed'],
  [completedType, 'cancelled'],
  [completedType, 'pending'],
  [completedType, 'failed'],
] as const;

type ListedDelivery = { deliveryId: string; eventId: string; isReplay: boolean; status: string };

/** A subscription with deliveries of every status. */
async function createFixture() {
  const workspace = await apiWithWorker.makeWorkspace();
  const live = apiWithWorker.client(workspace.liveKey);
  const sandbox = apiWithoutWorker.client(workspace.sandboxKey);
  const path = `/${randomUUID()}`;
  const subscription = await subscribe(live, receiver.url + path);
  const { submissionId } = await submit(sandbox, [await uploadText(sandbox)]);
  const begin = Date.now() - 30_000;
  const momentOf = (i: number) => new Date(begin + i * 1000).toISOString();
  const eventIds: string[] = [];
  for (const [i, [eventType, status]] of fixtureDeliveries.entries()) {
    await fire(sandbox, submissionId, { eventType });
    const [made] = (await live.get(`${subscriptionPath(subscription)}/deliveries`)).body.deliveries;
    eventIds.push(made.eventId);
    await setStatus(made.deliveryId, status, momentOf(i));
  }
  return {
    workspaceId: workspace.workspaceId as never,
    live,
    sandbox,
    subscription,
    momentOf,
    eventIds,
    replay: (json: object, headers: Record<string, string> = {}) =>
      live.post(`${subscriptionPath(subscription)}/replay`, json, { headers }),
    /** Waits until the replayed events have arrived; returns their indexes in `fixtureDeliveries`. */
    async replayed(count: number): Promise<number[]> {
      const hasArrived = (deliveries: ListedDelivery[]) => {
        const replays = deliveries.filter(({ isReplay }) => isReplay);
        return replays.length >= count && replays.every(({ status }) => status === 'succeeded');
      };
      const replays = (await untilDeliveries(live, subscription, hasArrived)).filter(({ isReplay }) => isReplay);
      const arrived = receiver.received.filter((one) => one.path === path);
      const indexes = arrived.map(({ headers }) => eventIds.indexOf(headers['webhook-id'] ?? '')).sort();
      expect(replays.map(({ eventId }) => eventIds.indexOf(eventId)).sort()).toEqual(indexes);
      return indexes;
    },
    arrived: () => receiver.received.filter((one) => one.path === path),
  };
}

/** Sets the status of a delivery and backdates it. */
async function setStatus(deliveryId: string, status: string, at: string): Promise<void> {
  const isPending = status === 'pending';
  await sql`
    update deliveries set status = ${status}, created_at = ${at}::timestamptz,
      next_attempt_at = ${isPending ? at : null}::timestamptz, completed_at = ${isPending ? null : at}::timestamptz,
      look_after_at = ${at}::timestamptz + interval '1 hour'
    where delivery_id = ${deliveryId}`.execute(db);
}

describe('POST /webhooks/subscriptions/{subscription_id}/replay', () => {
  describe('202: the deliveries of the period are replayed', () => {
    test.each([
      ['failed deliveries are replayed by default', {}, [0, 2, 5]],
      ['null optional members count as absent', { until: null, statuses: null, eventTypes: null }, [0, 2, 5]],
      ['deliveries with other statuses can be replayed', { statuses: ['succeeded', 'cancelled'] }, [1, 3]],
      [
        'deliveries with any status but pending can be replayed',
        { statuses: ['failed', 'succeeded', 'cancelled'] },
        [0, 1, 2, 3, 5],
      ],
      ['the replay can be limited to an event type', { eventTypes: [failedType] }, [2]],
      [
        'an event type and statuses can be combined',
        { eventTypes: [completedType], statuses: ['succeeded', 'failed'] },
        [0, 1, 5],
      ],
    ])('%s', async (_, rest, indexes) => {
      const { replay, replayed, momentOf } = await createFixture();
      const { status, body } = await replay({ since: momentOf(0), ...rest });
      expect(status).toBe(202);
      expect(body).toEqual({ enqueued: indexes.length });
      expect(await replayed(indexes.length)).toEqual(indexes);
    });

    test.each([
      ['since is an inclusive bound', 2, undefined, [2, 5]],
      ['until is an exclusive bound', 0, 5, [0, 2]],
      ['since and until can be combined', 1, 5, [2]],
      ['an empty period replays nothing', 5, 5, []],
      ['a reversed period replays nothing', 5, 0, []],
    ])('%s', async (_, since, until, indexes) => {
      const { replay, replayed, momentOf } = await createFixture();
      const json = { since: momentOf(since), ...(until !== undefined && { until: momentOf(until) }) };
      expect((await replay(json)).body).toEqual({ enqueued: indexes.length });
      expect(await replayed(indexes.length)).toEqual(indexes);
    });

    test.each([
      ['0000-01-01T00:00:00Z', 3],
      ['1969-12-31T23:59:59.999Z', 3],
      ['9999-12-31T23:59:59.999Z', 0],
    ])('%s is accepted as a bound, although it is far in the past or future', async (since, enqueued) => {
      const { replay } = await createFixture();
      expect((await replay({ since })).body).toEqual({ enqueued });
      expect((await replay({ since: '2000-01-01T00:00:00Z', until: since })).body).toEqual({ enqueued: 3 - enqueued });
    });

    test('each event is replayed once, however often its delivery failed', async () => {
      const { live, replay, replayed, subscription, momentOf } = await createFixture();
      await replay({ since: momentOf(0), until: momentOf(1) });
      await replayed(1);
      const [again] = (await live.get(`${subscriptionPath(subscription)}/deliveries`)).body.deliveries;
      await setStatus(again.deliveryId, 'failed', momentOf(1));
      expect((await replay({ since: momentOf(0), until: momentOf(2) })).body).toEqual({ enqueued: 1 });
    });

    test('a replay is a new manual delivery with the same webhook-id and body and a valid signature', async () => {
      const { live, replay, replayed, subscription, momentOf, eventIds, arrived } = await createFixture();
      await replay({ since: momentOf(2), until: momentOf(3) });
      await replayed(1);
      const deliveries = await untilDeliveries(live, subscription, () => true);
      const [replayedOne, old] = deliveries.filter(({ eventId }) => eventId === eventIds[2]);
      expect(replayedOne).toMatchObject({ isReplay: true, payload: old.payload, attempts: [{ trigger: 'manual' }] });
      const [one] = arrived() as [ReceivedRequest];
      expect(one.headers['webhook-id']).toBe(eventIds[2]);
      expect(one.event).toEqual(old.payload);
      new Webhook(subscription.secret).verify(one.body, one.headers);
    });

    test('a test event is not replayed', async () => {
      const { live, replay, subscription } = await createFixture();
      await live.post(`${subscriptionPath(subscription)}/test`);
      const since = new Date(Date.now() - 10_000).toISOString();
      expect((await replay({ since, statuses: ['succeeded', 'failed'] })).body).toEqual({ enqueued: 0 });
    });

    test('deliveries to another subscription of the workspace are not replayed', async () => {
      const { live, momentOf } = await createFixture();
      const other = await subscribe(live, receiver.url);
      const { body } = await live.post(`${subscriptionPath(other)}/replay`, { since: momentOf(0) });
      expect(body).toEqual({ enqueued: 0 });
    });

    test('replays to a subscription with a limit are due at that pace, after those of an earlier replay', async () => {
      const { workspaceId, live, subscription, momentOf } = await createFixture();
      await live.patch(subscriptionPath(subscription), { maxRequestsPerSecond: 2 });
      const now = new Date(Date.now() + 3_600_000); // later than the sweep of the running worker starts them
      const undo = new Error('must not send them');
      const dueAfterMillis: number[] = [];
      const trial = db.transaction().execute(async (transaction) => {
        const since = new Date(momentOf(0));
        const range = { since, until: now, statuses: ['failed' as const], eventTypes: undefined };
        for (let i = 0; i < 2; i++)
          await insertReplays(transaction, workspaceId, subscription.subscriptionId, range, now);
        const { rows } = await sql<{ next: Date; look: Date }>`
          select next_attempt_at as next, look_after_at as look from deliveries
          where subscription_id = ${subscription.subscriptionId} and trigger = 'manual'
          order by next_attempt_at`.execute(transaction);
        for (const { next, look } of rows) {
          expect(look).toEqual(next);
          dueAfterMillis.push(next.getTime() - now.getTime());
        }
        throw undo;
      });
      await expect(trial).rejects.toBe(undo);
      expect(dueAfterMillis).toEqual([0, 500, 1000, 1500, 2000, 2500]);
    });

    test('one call replays at most the 10,000 oldest deliveries', async () => {
      const { workspaceId, subscription, eventIds } = await createFixture();
      const made = { ids: [] as string[] };
      const undo = new Error('must not send ten thousand');
      const trial = db.transaction().execute(async (transaction) => {
        await sql`
          insert into deliveries (delivery_id, workspace_id, subscription_id, event_id, event_type, livemode, trigger,
            status, max_attempts, look_after_at, created_at, completed_at)
          select uuid_v7(), workspace_id, subscription_id, uuid_v7(), event_type, livemode, trigger,
            'failed', 10, look_after_at, created_at, created_at
          from deliveries, generate_series(1, ${replayedDeliveriesMax})
          where subscription_id = ${subscription.subscriptionId} and event_id = ${eventIds[0]}`.execute(transaction);
        const now = new Date();
        const range = { since: new Date(0), until: now, statuses: ['failed' as const], eventTypes: undefined };
        const count = await insertReplays(transaction, workspaceId, subscription.subscriptionId, range, now);
        expect(count).toBe(replayedDeliveriesMax);
        const { rows } = await sql<{ event_id: string }>`
          select event_id from deliveries
          where subscription_id = ${subscription.subscriptionId} and trigger = 'manual'`.execute(transaction);
        made.ids = rows.map(({ event_id }) => event_id);
        throw undo;
      });
      await expect(trial).rejects.toBe(undo);
      expect(made.ids).toHaveLength(replayedDeliveriesMax);
      for (const i of [0, 2, 5]) expect(made.ids).toContain(eventIds[i]);
    });
  });

  describe('403: the key is a sandbox key and the subscription was created with a live key', () => {
    test('the request is refused with live_subscription, and nothing is replayed', async () => {
      const fixture = await createFixture();
      const path = `${subscriptionPath(fixture.subscription)}/replay`;
      const response = await fixture.sandbox.post(path, { since: fixture.momentOf(0) });
      expect(response).toMatchObject(refused(403, 'live_subscription'));
      expect(await fixture.replayed(0)).toEqual([]);
    });
  });

  describe('404: the subscription is not in the workspace', () => {
    test('subscription_not_found is returned for a subscription of another workspace, and nothing is replayed', async () => {
      const [mine, theirs] = [await createFixture(), await createFixture()];
      const path = `${subscriptionPath(theirs.subscription)}/replay`;
      expect(await mine.live.post(path, { since: mine.momentOf(0) })).toMatchObject(
        refused(404, 'subscription_not_found'),
      );
      expect(await theirs.replayed(0)).toEqual([]);
    });
  });

  describe('409: the subscription is inactive, or the Idempotency-Key is in use', () => {
    test('subscription_inactive is returned until the subscription is reactivated', async () => {
      const { live, subscription, replay, momentOf } = await createFixture();
      const json = { since: momentOf(0), until: momentOf(1) };
      await live.patch(subscriptionPath(subscription), { isActive: false });
      expect(await replay(json)).toMatchObject(refused(409, 'subscription_inactive'));
      await live.patch(subscriptionPath(subscription), { isActive: true });
      expect(await replay(json)).toMatchObject({ status: 202, body: { enqueued: 1 } });
    });
  });

  describe('422: an invalid request', () => {
    const since = '2026-01-01T00:00:00Z';
    test.each([
      ['/since', 'no since', {}],
      ['/since', 'a null since', { since: null }],
      ['/since', 'a since that is not a date', { since: 'yesterday' }],
      ['/since', 'a since with an impossible date', { since: '2026-02-30T00:00:00Z' }],
      ['/until', 'an until that is a number', { since, until: 0 }],
      ['/statuses', 'an empty list of statuses', { since, statuses: [] }],
      ['/statuses/0', 'the status pending', { since, statuses: ['pending'] }],
      ['/eventTypes', 'an empty list of event types', { since, eventTypes: [] }],
      ['/eventTypes/1', 'an unknown event type', { since, eventTypes: [failedType, 'asset.deleted'] }],
      ['/limit', 'an unknown member', { since, limit: 1 }],
      ['', 'a body that is an array', []],
    ])('validation_failed points to "%s" for %s', async (pointer, _, json) => {
      const { replay } = await createFixture();
      expect(await replay(json)).toMatchObject(refused(422, 'validation_failed', pointer));
    });
  });
});
