import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import type { Client } from '@assay/testing/service/client.ts';
import { readPages } from '@assay/testing/service/pages.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { subscribe, subscriptionPath } from '@assay/testing/service/webhooks.ts';
import { describe, expect, test } from 'vitest';

const api = await openTestApi(liftedLimits);
const workspace = await api.makeWorkspace();
const client = api.client(workspace.liveKey);
const hookUrl = 'http://127.0.0.1:9/hook';

/** Oldest first. Each is created in its own millisecond, because the order within one is undefined. */
const subscriptionIds: string[] = [];
for (let i = 0; i < 7; i++) {
  subscriptionIds.push((await subscribe(client, `${hookUrl}/${i}`)).subscriptionId);
  await sleep(2);
}

const idsOf = (subscriptions: { subscriptionId: string }[]) =>
  subscriptions.map(({ subscriptionId }) => subscriptionId);
const listPage = async (query = '', by: Client = client) => (await by.get(`/webhooks/subscriptions${query}`)).body;

describe('GET /webhooks/subscriptions', () => {
  describe('200: one page, oldest first', () => {
    test('all subscriptions of the workspace are listed with the same fields as when read by id (§4.11a)', async () => {
      const { subscriptions, ...page } = await listPage();
      expect(page).toEqual({ nextCursor: null, hasMore: false });
      expect(idsOf(subscriptions)).toEqual(subscriptionIds);
      for (const subscription of subscriptions) {
        expect(subscription).toEqual((await client.get(subscriptionPath(subscription))).body);
        expect(subscription).not.toHaveProperty('secret');
      }
    });

    test.each([1, 3, 6, 7, 100])('pages of %i contain every subscription exactly once', async (limit) => {
      const pages = await readPages(client, `/webhooks/subscriptions?limit=${limit}`);
      const found = pages.map((page) => idsOf(page.subscriptions));
      expect(found).toHaveLength(Math.ceil(subscriptionIds.length / limit));
      expect(found.flat()).toEqual(subscriptionIds);
    });

    test('inactive subscriptions are also listed', async () => {
      const fresh = api.client((await api.makeWorkspace()).liveKey);
      const { subscriptionId } = await subscribe(fresh, hookUrl);
      await fresh.patch(subscriptionPath({ subscriptionId }), { isActive: false });
      expect((await listPage('', fresh)).subscriptions).toMatchObject([{ subscriptionId, isActive: false }]);
    });

    test('a sandbox key of the workspace gets the same list as a live key', async () => {
      expect(await listPage('', api.client(workspace.sandboxKey))).toEqual(await listPage());
    });
  });

  describe('422: an invalid parameter', () => {
    test.each([
      ['/limit', 'limit=0'],
      ['/limit', 'limit=101'],
      ['/limit', 'limit=x'],
      ['/cursor', 'cursor='],
      ['/cursor', 'cursor=x'],
      ['/cursor', `cursor=${randomUUID()}`],
      ['/cursor', `cursor=${Buffer.from('"x"').toString('base64url')}`],
      ['/cursor', `cursor=${'x'.repeat(201)}`],
    ])('validation_failed points to "%s" for the query %s', async (pointer, query) => {
      const response = await client.get(`/webhooks/subscriptions?${query}`);
      expect(response).toMatchObject(refused(422, 'validation_failed', pointer));
    });
  });
});
