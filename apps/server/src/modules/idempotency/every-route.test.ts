import { randomUUID } from 'node:crypto';
import type { Route } from '@assay/contract/route.ts';
import { type RouteName, routeNames, routes } from '@assay/contract/routes.ts';
import { firedEventTypes } from '@assay/contract/schemas/event.ts';
import { liftedLimits, openTestApi, openWorkspace } from '@assay/testing/service/api.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { assetPath, submit, submitAndCancel, uploadText } from '@assay/testing/service/submissions.ts';
import { fire, subscribe, subscriptionPath } from '@assay/testing/service/webhooks.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { WorkspaceId } from '#call/caller.ts';
import { tryLockIdempotencyKey } from './store.ts';

const api = await openTestApi(liftedLimits); // without a worker: submissions stay queued, and deliveries pending
const { live, sandbox, ...workspace } = await openWorkspace(api);
const workspaceId = workspace.workspaceId as WorkspaceId;
const { db } = api.handles;
const url = 'http://127.0.0.1:9/';

type Request = [path: string, json?: object];

/** A subscription with two deliveries, which have failed. */
async function openDeliveries() {
  const subscription = await subscribe(live, url);
  const { submissionId } = await submit(sandbox, [await uploadText(sandbox)]);
  for (const eventType of firedEventTypes) await fire(sandbox, submissionId, { eventType });
  await sql`
    update deliveries set status = 'failed', next_attempt_at = null, completed_at = now()
    where subscription_id = ${subscription.subscriptionId}`.execute(db);
  const path = subscriptionPath(subscription);
  return { path, deliveries: (await live.get(`${path}/deliveries`)).body.deliveries as { deliveryId: string }[] };
}

/** For each route that takes an `Idempotency-Key`: two different requests that both succeed. */
const makeRequestsByRoute: Partial<Record<RouteName, () => Promise<Request[]>>> = {
  createSubmission: async () => {
    const assets = [{ blobPath: await uploadText(live) }];
    return [{}, { a: 1 }].map((metadata) => ['/submissions', { assets, metadata }]);
  },
  retryAsset: async () => {
    const created = await submitAndCancel(live, 2);
    return [0, 1].map((i) => [`${assetPath(created, i)}/retry`]);
  },
  createProfile: async () => [1, 2].map(() => ['/profiles', { name: `p-${randomUUID()}` }]),
  createSubscription: async () =>
    ['all', 'live'].map((mode) => ['/webhooks/subscriptions', { url, eventTypes: firedEventTypes, mode }]),
  replayDelivery: async () => {
    const { path, deliveries } = await openDeliveries();
    return deliveries.map(({ deliveryId }) => [`${path}/deliveries/${deliveryId}/replay`]);
  },
  replayDeliveries: async () => {
    const { path } = await openDeliveries();
    return ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'].map((since) => [`${path}/replay`, { since }]);
  },
};

/** The rows that the routes create, and the attempts that a retry adds to. */
async function countRows(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select ((select count(*) from submissions) + (select coalesce(sum(attempt), 0) from assets) + (select count(*) from profiles)
      + (select count(*) from subscriptions) + (select count(*) from deliveries))::int as count`.execute(db);
  return rows[0]?.count ?? 0;
}

const idempotentRoutes = routeNames.filter((name) => (routes[name] as Route).isIdempotent);

test('the requests of this test cover every route that takes an Idempotency-Key, and no other route', () => {
  expect(Object.keys(makeRequestsByRoute).sort()).toEqual(idempotentRoutes.toSorted());
});

describe.each(idempotentRoutes)('an Idempotency-Key on %s', async (name) => {
  const { status: success } = routes[name].success;

  async function prepare() {
    const [one, other] = (await makeRequestsByRoute[name]?.()) ?? [];
    if (!one || !other) throw new Error(`no requests for ${name}`);
    const key = randomUUID();
    const send = ([path, json]: Request) => live.post(path, json, { headers: { 'idempotency-key': key } });
    return { key, once: () => send(one), otherwise: () => send(other) };
  }

  test('makes a repeated request change nothing and return the first response, marked as replayed', async () => {
    const { once } = await prepare();
    const first = await once();
    expect([first.status, first.headers.has('idempotency-replayed')]).toEqual([success, false]);
    const before = await countRows();
    const second = await once();
    expect([second.status, second.headers.get('idempotency-replayed')]).toEqual([success, 'true']);
    expect(second.body).toEqual(first.body);
    expect(await countRows()).toBe(before);
  });

  test('lets only one of eight concurrent requests take effect, and the rest get 409 idempotency_in_flight or a replay of the first response', async () => {
    const [{ once }, next] = [await prepare(), await prepare()];
    const before = await countRows();
    const responses = await Promise.all(Array.from({ length: 8 }, once));
    const succeeded = responses.filter(({ status }) => status === success);
    expect(succeeded.filter(({ headers }) => !headers.has('idempotency-replayed'))).toHaveLength(1);
    for (const { body } of succeeded) expect(body).toEqual(succeeded[0]?.body);
    for (const response of responses.filter(({ status }) => status !== success))
      expect(response).toMatchObject(refused(409, 'idempotency_in_flight'));
    const after = await countRows();
    await next.once();
    expect(after - before).toBe((await countRows()) - after);
  });

  test('is refused with 409 idempotency_in_flight while another request in progress holds its lock, and accepted afterwards', async () => {
    const { key, once } = await prepare();
    await db.transaction().execute(async (transaction) => {
      await tryLockIdempotencyKey(transaction, workspaceId, `live ${name}`, key);
      expect(await once()).toMatchObject(refused(409, 'idempotency_in_flight'));
    });
    expect((await once()).status).toBe(success);
  });

  test('is refused with 422 idempotency_key_reused for a different request', async () => {
    const { once, otherwise } = await prepare();
    expect((await once()).status).toBe(success);
    expect(await otherwise()).toMatchObject(refused(422, 'idempotency_key_reused'));
  });
});
