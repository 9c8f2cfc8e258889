import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import { openReceiver } from '@assay/testing/service/receiver.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { fire, subscribe, subscriptionPath } from '@assay/testing/service/webhooks.ts';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { idFloor } from '#platform/postgres/id-floor.ts';
import { deleteEventsBefore } from '../deliveries/delivery-store.ts';

const api = await openTestApi(liftedLimits); // without a worker: fired events stay pending
const { db } = api.handles;
const receiver = await openReceiver();
afterAll(() => receiver.close());

test('an event that was replayed shortly before its expiry is kept as long as the replay', async () => {
  const { liveKey, sandboxKey } = await api.makeWorkspace();
  const [live, sandbox] = [api.client(liveKey), api.client(sandboxKey)];
  const subscription = await subscribe(live, receiver.url);
  const { submissionId } = await submit(sandbox, [await uploadText(sandbox)]);
  await fire(sandbox, submissionId);
  await fire(sandbox, submissionId);
  const deliveries = `${subscriptionPath(subscription)}/deliveries`;
  const [once, replayed] = (await live.get(deliveries)).body.deliveries;
  const moment = new Date(Date.now() + 1);
  while (Date.now() <= moment.getTime()) await new Promise(setImmediate);
  const { body: again } = await live.post(`${deliveries}/${replayed.deliveryId}/replay`);

  // In a transaction that is rolled back: events of other tests must not be deleted.
  const undo = new Error('undone');
  const deletion = db.transaction().execute(async (transaction) => {
    while (!(await deleteEventsBefore(transaction, idFloor(moment), 1000)));
    const { rows } = await sql<{ id: string; isKept: boolean }>`
      select wanted.id, exists (select from events where event_id = wanted.id) as "isKept"
      from unnest(${[once.eventId, replayed.eventId]}::uuid[]) as wanted (id)`.execute(transaction);
    expect(new Map(rows.map(({ id, isKept }) => [id, isKept]))).toEqual(
      new Map([
        [once.eventId, false],
        [replayed.eventId, true],
      ]),
    );
    const { rows: left } = await sql<{ id: string }>`
      select delivery_id as id from deliveries where subscription_id = ${subscription.subscriptionId}`.execute(
      transaction,
    );
    expect(left.map(({ id }) => id)).toEqual([again.deliveryId]);
    throw undo;
  });
  await expect(deletion).rejects.toBe(undo);
});
