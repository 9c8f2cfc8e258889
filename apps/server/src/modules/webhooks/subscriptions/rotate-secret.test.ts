import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import { openReceiver, type ReceivedRequest } from '@assay/testing/service/receiver.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { fire, subscribe, subscriptionPath } from '@assay/testing/service/webhooks.ts';
import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, test } from 'vitest';

const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'webhook' });
await openTestWorker(api.config);
const receiver = await openReceiver();
afterAll(() => receiver.close());

/** A subscription in a new workspace. */
async function createFixture() {
  const workspace = await api.makeWorkspace();
  const live = api.client(workspace.liveKey);
  const path = `/${randomUUID()}`;
  const subscription = await subscribe(live, receiver.url + path);
  return {
    live,
    sandbox: api.client(workspace.sandboxKey),
    subscription,
    rotate: (json?: unknown, by = live) => by.post(`${subscriptionPath(subscription)}/rotate-secret`, json),
    /** Sends a sample and returns what arrived. */
    async sample(): Promise<ReceivedRequest> {
      const { body } = await live.post(`${subscriptionPath(subscription)}/test`);
      expect(body.errorCode).toBeNull();
      return receiver.received.findLast((one) => one.path === path) as ReceivedRequest;
    },
    path,
  };
}

function isSignedBy(secret: string, { body, headers }: ReceivedRequest): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

const countSignatures = ({ headers }: ReceivedRequest) => headers['webhook-signature']?.split(' ').length;

/** Checks the length of the grace period, with slack for a slow machine. */
function expectGracePeriod(previousSecretExpiresAt: string, askedAt: number, seconds: number): void {
  const graceMillis = Date.parse(previousSecretExpiresAt) - askedAt;
  expect(graceMillis).toBeGreaterThanOrEqual(seconds * 1000);
  expect(graceMillis).toBeLessThan(seconds * 1000 + (Date.now() - askedAt) + 1);
}

describe('POST /webhooks/subscriptions/{subscription_id}/rotate-secret', () => {
  describe('200: a new secret', () => {
    test.each([
      ['no body', {}, 86_400],
      ['an empty JSON body', { body: '', headers: { 'content-type': 'application/json' } }, 86_400],
      ['an empty object', { json: {} }, 86_400],
      ['a null graceSeconds', { json: { graceSeconds: null } }, 86_400],
      ['a grace period of zero', { json: { graceSeconds: 0 } }, 0],
      ['a grace period of one second', { json: { graceSeconds: 1 } }, 1],
      ['a grace period of one week', { json: { graceSeconds: 604_800 } }, 604_800],
    ])('a request with %s returns a new secret and the end of the grace period', async (_, request, seconds) => {
      const { live, subscription } = await createFixture();
      const askedAt = Date.now();
      const { status, body } = await live.send('POST', `${subscriptionPath(subscription)}/rotate-secret`, request);
      expect(status).toBe(200);
      expect(body).toEqual({
        subscriptionId: subscription.subscriptionId,
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
        previousSecretExpiresAt: expect.any(String),
      });
      expect(body.secret).not.toBe(subscription.secret);
      expectGracePeriod(body.previousSecretExpiresAt, askedAt, seconds);
    });

    test('the secret is not returned in later responses', async () => {
      const { live, subscription, rotate } = await createFixture();
      await rotate();
      for (const path of [subscriptionPath(subscription), '/webhooks/subscriptions']) {
        expect(JSON.stringify((await live.get(path)).body)).not.toMatch(/secret|whsec_/i);
      }
    });

    test('neither the new nor the old secret is in the database row, as text or as bytes', async () => {
      const { subscription, rotate } = await createFixture();
      const { body } = await rotate();
      const row = await api.handles.db
        .selectFrom('subscriptions')
        .selectAll()
        .where('subscription_id', '=', subscription.subscriptionId)
        .executeTakeFirstOrThrow();
      const { secret: sealed, previous_secret: previousSealed, ...rest } = row;
      for (const secret of [body.secret, subscription.secret]) {
        const bytes = Buffer.from(secret.replace('whsec_', ''), 'base64');
        for (const held of [sealed, previousSealed as Buffer]) {
          expect(held.includes(bytes)).toBe(false);
          expect(held.includes(bytes.toString('base64'))).toBe(false);
        }
        expect(JSON.stringify(rest)).not.toContain(bytes.toString('base64'));
      }
    });

    test('during the grace period events are signed with both secrets, so that either can be verified', async () => {
      const fixture = await createFixture();
      const { body } = await fixture.rotate();
      const sample = await fixture.sample();
      expect(countSignatures(sample)).toBe(2);
      expect(isSignedBy(body.secret, sample)).toBe(true);
      expect(isSignedBy(fixture.subscription.secret, sample)).toBe(true);
    });

    test('events of a submission also have both signatures during the grace period', async () => {
      const fixture = await createFixture();
      const { body } = await fixture.rotate();
      const { submissionId } = await submit(fixture.sandbox, [await uploadText(fixture.sandbox)]);
      await fire(fixture.sandbox, submissionId);
      const [delivered] = await receiver.until(1, ({ path }) => path === fixture.path);
      expect(isSignedBy(body.secret, delivered as ReceivedRequest)).toBe(true);
      expect(isSignedBy(fixture.subscription.secret, delivered as ReceivedRequest)).toBe(true);
    });

    test('without a grace period events are signed with the new secret only', async () => {
      const fixture = await createFixture();
      const { body } = await fixture.rotate({ graceSeconds: 0 });
      const sample = await fixture.sample();
      expect(countSignatures(sample)).toBe(1);
      expect(isSignedBy(body.secret, sample)).toBe(true);
      expect(isSignedBy(fixture.subscription.secret, sample)).toBe(false);
    });

    test('after the grace period events are signed with the new secret only', async () => {
      const fixture = await createFixture();
      const { body } = await fixture.rotate({ graceSeconds: 1 });
      await sleep(1100);
      const sample = await fixture.sample();
      expect(isSignedBy(body.secret, sample)).toBe(true);
      expect(isSignedBy(fixture.subscription.secret, sample)).toBe(false);
    });

    test('after two rotations events are signed with the newest two secrets', async () => {
      const fixture = await createFixture();
      const [second, third] = [await fixture.rotate(), await fixture.rotate({})];
      const sample = await fixture.sample();
      const secrets = [third.body.secret, second.body.secret, fixture.subscription.secret];
      expect(secrets.map((secret) => isSignedBy(secret, sample))).toEqual([true, true, false]);
    });
  });

  describe('403: the key is a sandbox key and the subscription was created with a live key', () => {
    test('the request is refused with live_subscription, and the secret does not change', async () => {
      const fixture = await createFixture();
      expect(await fixture.rotate(undefined, fixture.sandbox)).toMatchObject(refused(403, 'live_subscription'));
      const sample = await fixture.sample();
      expect(countSignatures(sample)).toBe(1);
      expect(isSignedBy(fixture.subscription.secret, sample)).toBe(true);
    });
  });

  describe('422: an invalid request', () => {
    test.each([
      ['/graceSeconds', 'a graceSeconds of more than one week', { graceSeconds: 604_801 }],
      ['/graceSeconds', 'a negative graceSeconds', { graceSeconds: -1 }],
      ['/graceSeconds', 'a graceSeconds with a fraction', { graceSeconds: 0.5 }],
      ['/graceSeconds', 'a graceSeconds that is a string', { graceSeconds: '60' }],
      ['/secret', 'a secret', { secret: 'mine' }],
      ['', 'a body that is an array', []],
    ])('validation_failed points to "%s" for %s, and the secret does not change', async (pointer, _, json) => {
      const fixture = await createFixture();
      expect(await fixture.rotate(json)).toMatchObject(refused(422, 'validation_failed', pointer));
      expect(countSignatures(await fixture.sample())).toBe(1);
    });
  });
});
