import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { firedEventTypes } from '@assay/contract/schemas/event.ts';
import { liftedLimits, openTestApi, openTestWorker, openWorkspace } from '@assay/testing/service/api.ts';
import { openReceiver, type ReceivedRequest } from '@assay/testing/service/receiver.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { readSubmissionRows } from '@assay/testing/service/submission-rows.ts';
import { submit, submitAndCancel, untilFinished, uploadText } from '@assay/testing/service/submissions.ts';
import { fire, isNonePending, subscribe, subscriptionPath, untilDeliveries } from '@assay/testing/service/webhooks.ts';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, test } from 'vitest';

const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'sandbox,webhook' });
await openTestWorker(api.config);
const receiver = await openReceiver();
afterAll(() => receiver.close());

const completedType = 'asset.processing.completed';
const failedType = 'asset.processing.failed';
const simulatedFailureMessage = 'Sandbox simulated failure';

/** A workspace with a finished sandbox submission, and its own path at the receiver. */
async function createFixture(assetCount = 1) {
  const { live, sandbox, ...workspace } = await openWorkspace(api);
  const blobPaths = await Promise.all(Array.from({ length: assetCount }, () => uploadText(sandbox)));
  const created = await submit(sandbox, blobPaths);
  await untilFinished(sandbox, created.submissionId);
  const base = `/${randomUUID()}/`;
  const isHere = ({ path }: ReceivedRequest) => path.startsWith(base);
  return {
    workspace,
    live,
    sandbox,
    created,
    subscribe: (name: string, rest: object = {}) => subscribe(live, receiver.url + base + name, rest),
    fire: (rest: object = {}) => fire(sandbox, created.submissionId, rest),
    arrived: () => receiver.received.filter(isHere),
    untilArrived: (count: number) => receiver.until(count, isHere),
  };
}

describe('POST /sandbox/events/fire', () => {
  describe('200: one event per asset is sent to every active subscription to its type', () => {
    test('2 assets and 3 matching subscriptions of 5 result in 6 dispatched and received events (§4.10a, §6c)', async () => {
      const fixture = await createFixture(2);
      await fixture.subscribe('a');
      await fixture.subscribe('b', { eventTypes: [completedType] });
      await fixture.subscribe('c', { mode: 'sandbox' });
      const stopped = await fixture.subscribe('stopped');
      await fixture.live.patch(subscriptionPath(stopped), { isActive: false });
      await fixture.subscribe('other', { eventTypes: [failedType] });
      expect(await fixture.fire()).toBe(6);
      await fixture.untilArrived(6);
      await sleep(500);
      const got = fixture.arrived().map(({ path, event }) => `${path.split('/')[2]} ${event.data.asset_id}`);
      const expected = ['a', 'b', 'c'].flatMap((name) =>
        fixture.created.assets.map(({ assetId }) => `${name} ${assetId}`),
      );
      expect(got.sort()).toEqual(expected.sort());
    });

    test.each(['all', 'live', 'sandbox'])(
      'a subscription with mode %s also receives the event (§4.10)',
      async (mode) => {
        const fixture = await createFixture();
        const subscription = await fixture.subscribe('one', { mode });
        expect(await fixture.fire()).toBe(fixture.created.assets.length);
        const { body } = await fixture.live.get(`${subscriptionPath(subscription)}/deliveries`);
        expect(body.deliveries).toHaveLength(fixture.created.assets.length);
      },
    );

    test('nothing is dispatched if there is no subscription', async () => {
      expect(await (await createFixture()).fire()).toBe(0);
    });

    test('each call creates a new event for each asset, and every subscription receives the same events', async () => {
      const fixture = await createFixture(2);
      await fixture.subscribe('a');
      await fixture.subscribe('b');
      await fixture.fire();
      await fixture.fire();
      const arrived = await fixture.untilArrived(8);
      const idsAt = (name: string) => arrived.filter(({ path }) => path.endsWith(name)).map(({ event }) => event.id);
      expect(new Set(idsAt('/a')).size).toBe(4);
      expect(idsAt('/b').sort()).toEqual(idsAt('/a').sort());
    });

    test('a fired event is signed, attempted and listed like a real event (§6e)', async () => {
      const fixture = await createFixture();
      const subscription = await fixture.subscribe('a');
      await fixture.fire();
      const [one] = (await fixture.untilArrived(1)) as [ReceivedRequest];
      new Webhook(subscription.secret).verify(one.body, one.headers);
      const [delivery] = await untilDeliveries(fixture.live, subscription, isNonePending);
      expect(delivery).toMatchObject({
        eventId: one.headers['webhook-id'],
        status: 'succeeded',
        livemode: false,
        isReplay: false,
        maxAttempts: 10,
        payload: one.event,
        attempts: [{ trigger: 'automatic', responseStatus: 200 }],
      });
    });

    test.each(['complete', 'failed', 'live'] as const)(
      'events can be fired for a submission that is %s',
      async (kind) => {
        const fixture = await createFixture();
        await fixture.subscribe('a');
        const made = {
          complete: async () => fixture.created,
          failed: () => submitAndCancel(fixture.sandbox, 1, '?simulationDelaySeconds=30'),
          live: () => submitAndCancel(fixture.live),
        };
        const { submissionId } = await made[kind]();
        for (const eventType of firedEventTypes)
          expect(await fire(fixture.sandbox, submissionId, { eventType })).toBeGreaterThan(0);
      },
    );

    test('events can be fired for a submission id in capital letters', async () => {
      const fixture = await createFixture();
      await fixture.subscribe('a');
      expect(await fire(fixture.sandbox, fixture.created.submissionId.toUpperCase())).toBe(1);
      const [one] = (await fixture.untilArrived(1)) as [ReceivedRequest];
      expect(one.event.data.submission_id).toBe(fixture.created.submissionId);
    });
  });

  describe('200: the payload of the event', () => {
    const noVerdict = {
      verdict: null,
      severity_counts: null,
      status_counts: null,
      blocking_count: null,
      review_count: null,
      waived_count: null,
      profile: null,
    };

    test.each([
      [
        'a failed event has the five documented members and the additional ones, in snake_case',
        failedType,
        { status: 'failed', error_message: simulatedFailureMessage, error_type: 'internal_error', is_retryable: true },
        'failed_at',
      ],
      [
        'the counts of a completed event are null, because nothing was analysed',
        completedType,
        { status: 'complete', issue_count: null },
        'completed_at',
      ],
    ])('the payload is complete: %s (§2c, §6b)', async (_, eventType, result, endedAt) => {
      const fixture = await createFixture();
      await fixture.subscribe('a');
      await fixture.fire({ eventType });
      const [one] = (await fixture.untilArrived(1)) as [ReceivedRequest];
      const [asset] = fixture.created.assets;
      expect(one.event).toEqual({
        id: one.headers['webhook-id'],
        type: eventType,
        timestamp: expect.any(String),
        livemode: false,
        data: {
          asset_id: asset?.assetId,
          ...noVerdict,
          submission_id: fixture.created.submissionId,
          workspace_id: fixture.workspace.workspaceId,
          retry_count: 0,
          version_group_id: asset?.versionGroupId,
          version_number: 1,
          [endedAt]: one.event.timestamp,
          ...result,
        },
      });
    });

    test.each([
      ['left out', {}, simulatedFailureMessage],
      ['null', { errorMessage: null }, simulatedFailureMessage],
      ['given', { errorMessage: 'Der Ton fehlt „ganz“\n🎬' }, 'Der Ton fehlt „ganz“\n🎬'],
    ])('a failed event has the right error_message if errorMessage is %s (§4.10c)', async (_, rest, message) => {
      const fixture = await createFixture();
      const subscription = await fixture.subscribe('a');
      await fixture.fire({ eventType: failedType, ...rest });
      const [one] = (await fixture.untilArrived(1)) as [ReceivedRequest];
      expect(one.event.data.error_message).toBe(message);
      const [delivery] = await untilDeliveries(fixture.live, subscription, isNonePending);
      expect(delivery.payload.data.error_message).toBe(message);
    });

    test('a completed event ignores errorMessage (§4.10c)', async () => {
      const fixture = await createFixture();
      await fixture.subscribe('a');
      await fixture.fire({ errorMessage: 'ignored' });
      const [one] = (await fixture.untilArrived(1)) as [ReceivedRequest];
      expect(one.body).not.toContain('ignored');
      expect(one.event.data).not.toHaveProperty('error_message');
    });
  });

  describe('200: the submission and the credits are unaffected', () => {
    test.each(firedEventTypes)(
      'firing %s leaves the submission unchanged and charges no credit (§4.10d)',
      async (eventType) => {
        const fixture = await createFixture(2);
        await fixture.subscribe('a');
        const readState = async () => ({
          submission: (await fixture.live.get(`/submissions/${fixture.created.submissionId}`)).body,
          rows: await readSubmissionRows(api.handles.db, fixture.created),
          credits: (await fixture.live.get('/me')).body.credits,
          entries: await api.handles.db
            .selectFrom('credit_entries')
            .selectAll()
            .where('workspace_id', '=', fixture.workspace.workspaceId)
            .execute(),
        });
        const before = await readState();
        expect(before.submission.status).toBe('complete');
        expect(await fixture.fire({ eventType })).toBe(2);
        await fixture.untilArrived(2);
        expect(await readState()).toEqual(before);
        expect(before.entries).toEqual([]);
      },
    );
  });

  describe('403: a live key (§4.10b, §5f, §7i)', () => {
    test('a valid request is refused with sandbox_only, and nothing is sent', async () => {
      const fixture = await createFixture();
      const subscription = await fixture.subscribe('a');
      const { submissionId } = fixture.created;
      const response = await fixture.live.post('/sandbox/events/fire', { eventType: completedType, submissionId });
      expect(response).toMatchObject(refused(403, 'sandbox_only'));
      const { body } = await fixture.live.get(`${subscriptionPath(subscription)}/deliveries`);
      expect(body.deliveries).toEqual([]);
    });
  });

  describe('422: an invalid request (§4.10b)', () => {
    const valid = { eventType: failedType, submissionId: randomUUID() };
    test.each([
      ['/eventType', 'no event type', { submissionId: valid.submissionId }],
      ['/eventType', 'an unknown event type', { ...valid, eventType: 'asset.deleted' }],
      ['/eventType', 'an event type in an array', { ...valid, eventType: [failedType] }],
      ['/submissionId', 'no submission id', { eventType: failedType }],
      ['/submissionId', 'a submission id that is not a UUID', { ...valid, submissionId: '1' }],
      ['/errorMessage', 'an error message of 10,001 characters', { ...valid, errorMessage: 'x'.repeat(10_001) }],
      ['/errorMessage', 'an error message that is a number', { ...valid, errorMessage: 1 }],
      ['/errorMessage', 'a NUL in the error message', { ...valid, errorMessage: 'a\0b' }],
      ['/errorMessage', 'a lone surrogate in the error message', { ...valid, errorMessage: '\ud800' }],
      ['/assetId', 'an unknown member', { ...valid, assetId: randomUUID() }],
      ['', 'a body that is an array', []],
      ['', 'no body', undefined],
    ])('validation_failed points to "%s" for %s', async (pointer, _, json) => {
      const { sandboxKey } = await api.makeWorkspace();
      const response = await api.client(sandboxKey).post('/sandbox/events/fire', json);
      expect(response).toMatchObject(refused(422, 'validation_failed', pointer));
    });
  });

  test('a submission that is deleted while events are fired for it leaves no events', async () => {
    const { live, created, sandbox, subscribe: subscribeHere } = await createFixture();
    await subscribeHere('a');
    const { submissionId } = created;
    const slow = new pg.Client({ connectionString: api.config.DATABASE_URL });
    await slow.connect();
    await slow.query('begin; lock table subscriptions in access exclusive mode');
    const firing = sandbox.post('/sandbox/events/fire', {
      eventType: failedType,
      submissionId,
      errorMessage: 'secret',
    });
    await sleep(200); // by now the request has found the submission and waits for the lock on subscriptions
    const deleting = sandbox.delete(`/submissions/${submissionId}`);
    await sleep(200);
    await slow.query('commit');
    await slow.end();
    expect((await firing).status).toBe(200);
    expect((await deleting).status).toBe(204);
    expect((await live.get(`/submissions/${submissionId}`)).status).toBe(404);
    for (const table of ['events', 'deliveries'] as const) {
      const left = api.handles.db.selectFrom(table).selectAll().where('submission_id', '=', submissionId);
      expect(await left.execute()).toEqual([]);
    }
  });
});
