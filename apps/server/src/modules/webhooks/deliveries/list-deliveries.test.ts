import { setTimeout as sleep } from 'node:timers/promises';
import { liftedLimits, openTestApi, openWorkspace } from '@assay/testing/service/api.ts';
import type { Client } from '@assay/testing/service/client.ts';
import { readPages } from '@assay/testing/service/pages.ts';
import { openReceiver } from '@assay/testing/service/receiver.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { type SubmissionIds, submit, uploadText } from '@assay/testing/service/submissions.ts';
import { fire, subscribe, subscriptionPath } from '@assay/testing/service/webhooks.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

// No worker runs here, so fired events stay pending; only test events are sent.
const api = await openTestApi(liftedLimits);
const { live, sandbox, ...workspace } = await openWorkspace(api);
const receiver = await openReceiver((_, response) => {
  response.statusCode = receiver.received.length % 2 === 1 ? 200 : 500; // alternating
  response.end();
});
afterAll(() => receiver.close());
const subscription = await subscribe(live, receiver.url);
const otherSubscription = await subscribe(live, receiver.url, { eventTypes: ['asset.processing.failed'] });
const deliveryCount = 27;
let submission: SubmissionIds;

type ListedDelivery = { deliveryId: string; eventType: string; status: string; createdAt: string };
let deliveriesNewestFirst: ListedDelivery[];

beforeAll(async () => {
  submission = await submit(sandbox, [await uploadText(sandbox)]);
  for (let i = 0; i < deliveryCount - 4; i++) {
    const eventType = i % 3 === 0 ? 'asset.processing.failed' : 'asset.processing.completed';
    await fire(sandbox, submission.submissionId, { eventType });
    await sleep(2); // each in its own millisecond, because the order within one is undefined
  }
  // Postpones the deliveries, which the sweeper of another test file would otherwise start.
  const far = new Date(Date.now() + 3_600_000);
  const { db } = api.handles;
  await db
    .updateTable('deliveries')
    .set({ look_after_at: far })
    .where('status', '=', 'pending')
    .where('workspace_id', '=', workspace.workspaceId)
    .execute();
  for (let i = 0; i < 4; i++) await live.post(`${subscriptionPath(subscription)}/test`);
  deliveriesNewestFirst = (await listPage('?limit=100')).deliveries;
});

const listPage = async (query = '', by: Client = live, of = subscription) =>
  (await by.get(`${subscriptionPath(of)}/deliveries${query}`)).body;
const idsOf = (deliveries: ListedDelivery[]) => deliveries.map(({ deliveryId }) => deliveryId);
const deliveryAt = (i: number) => deliveriesNewestFirst.at(i) as ListedDelivery;

const listPages = async (query: string): Promise<string[][]> =>
  (await readPages(live, `${subscriptionPath(subscription)}/deliveries?${query}`)).map((page) =>
    idsOf(page.deliveries),
  );

describe('GET /webhooks/subscriptions/{subscription_id}/deliveries', () => {
  describe('200: one page, newest first', () => {
    test('each delivery shows what was sent and the result (§2.5f, §4.11a)', async () => {
      expect(deliveriesNewestFirst).toHaveLength(deliveryCount);
      expect(deliveriesNewestFirst.at(-1)).toEqual({
        deliveryId: expect.any(String),
        eventId: expect.any(String),
        eventType: 'asset.processing.failed',
        subscriptionId: subscription.subscriptionId,
        submissionId: submission.submissionId,
        assetId: submission.assets[0]?.assetId,
        status: 'pending',
        attemptCount: 0,
        maxAttempts: 10,
        nextAttemptAt: expect.any(String),
        lastResponseStatus: null,
        isReplay: false,
        livemode: false,
        createdAt: expect.any(String),
        completedAt: null,
      });
      const moments = deliveriesNewestFirst.map(({ createdAt }) => createdAt);
      expect(moments).toEqual(moments.toSorted().reverse());
    });

    test('a page has 25 deliveries by default', async () => {
      expect((await listPages('')).map((page) => page.length)).toEqual([25, deliveryCount - 25]);
    });

    test.each([1, 4, deliveryCount - 1, deliveryCount, 100])(
      'pages of %i contain every delivery exactly once',
      async (limit) => {
        const found = await listPages(`limit=${limit}`);
        expect(found).toHaveLength(Math.ceil(deliveryCount / limit));
        expect(found.flat()).toEqual(idsOf(deliveriesNewestFirst));
      },
    );

    test('new deliveries do not shift the pages', async () => {
      const first = await listPage('?limit=2', live, otherSubscription);
      await live.post(`${subscriptionPath(otherSubscription)}/test`);
      const second = await listPage(`?limit=2&cursor=${first.nextCursor}`, live, otherSubscription);
      const all = idsOf((await listPage('?limit=100', live, otherSubscription)).deliveries);
      expect([...idsOf(first.deliveries), ...idsOf(second.deliveries)]).toEqual(all.slice(1, 5));
    });

    test('deliveries of the same event share its eventId, and each has its own deliveryId', async () => {
      const theirs = (await listPage('?limit=100&status=pending', live, otherSubscription)).deliveries;
      const mine = (await listPage('?limit=100&status=pending&eventType=asset.processing.failed')).deliveries;
      const eventIdsOf = (deliveries: { eventId: string }[]) => deliveries.map(({ eventId }) => eventId);
      expect(eventIdsOf(theirs)).toEqual(eventIdsOf(mine));
      expect(idsOf(theirs).filter((id) => idsOf(mine).includes(id))).toEqual([]);
    });

    test('a sandbox key of the workspace gets the same list as a live key', async () => {
      expect(await listPage('', sandbox)).toEqual(await listPage());
    });

    test('the page is empty for a subscription without deliveries', async () => {
      const fresh = await subscribe(live, receiver.url);
      expect(await listPage('', live, fresh)).toEqual({ deliveries: [], nextCursor: null, hasMore: false });
    });
  });

  describe('200: filters', () => {
    test('status filters by one or several statuses, and may match no delivery', async () => {
      const found = async (query: string) => (await listPages(query)).flat();
      const having = (...statuses: string[]) =>
        idsOf(deliveriesNewestFirst.filter((delivery) => statuses.includes(delivery.status)));
      expect(having('succeeded')).toHaveLength(2);
      expect(await found('status=succeeded')).toEqual(having('succeeded'));
      expect(await found('status=failed')).toEqual(having('failed'));
      expect(await found('status=failed&status=pending')).toEqual(having('failed', 'pending'));
      expect(await found('status=cancelled')).toEqual([]);
    });

    test('eventType filters across pages, also combined with a status', async () => {
      const type = 'asset.processing.failed';
      const failed = deliveriesNewestFirst.filter(({ eventType }) => eventType === type);
      expect(failed).toHaveLength(8);
      expect((await listPages(`eventType=${type}&limit=3`)).flat()).toEqual(idsOf(failed));
      expect((await listPages(`eventType=${type}&status=succeeded`)).flat()).toEqual([]);
      const both = (await listPages(`eventType=${type}&eventType=asset.processing.completed`)).flat();
      expect(both).toEqual(idsOf(deliveriesNewestFirst));
    });

    test('createdAfter and createdBefore are exclusive bounds', async () => {
      const after = encodeURIComponent(deliveryAt(20).createdAt);
      const before = encodeURIComponent(deliveryAt(10).createdAt);
      const all = idsOf(deliveriesNewestFirst);
      expect((await listPages(`createdAfter=${after}&limit=100`)).flat()).toEqual(all.slice(0, 20));
      expect((await listPages(`createdBefore=${before}&limit=100`)).flat()).toEqual(all.slice(11));
      expect((await listPages(`createdAfter=${after}&createdBefore=${before}&limit=4`)).flat()).toEqual(
        all.slice(11, 20),
      );
    });

    test.each(['0000-01-01T00:00:00Z', '1969-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'])(
      '%s is accepted as a bound, although it is far in the past or future',
      async (moment) => {
        const isPast = moment < '2000';
        expect((await listPage(`?limit=100&createdAfter=${moment}`)).deliveries).toHaveLength(
          isPast ? deliveryCount : 0,
        );
        expect((await listPage(`?limit=100&createdBefore=${moment}`)).deliveries).toHaveLength(
          isPast ? 0 : deliveryCount,
        );
      },
    );
  });

  describe('422: an invalid parameter', () => {
    test.each([
      ['/limit', 'limit=0'],
      ['/limit', 'limit=101'],
      ['/status/0', 'status=done'],
      ['/status', Array(21).fill('status=failed').join('&')],
      ['/eventType/0', 'eventType=asset.deleted'],
      ['/createdAfter', 'createdAfter=yesterday'],
      ['/createdBefore', 'createdBefore=2026-02-30T00:00:00Z'],
      ['/cursor', 'cursor=x'],
      ['/cursor', `cursor=${Buffer.from('"x"').toString('base64url')}`],
    ])('validation_failed points to "%s" for the query %s', async (pointer, query) => {
      const response = await live.get(`${subscriptionPath(subscription)}/deliveries?${query}`);
      expect(response).toMatchObject(refused(422, 'validation_failed', pointer));
    });
  });
});
