import assert from 'node:assert/strict';
import { deliveryAttemptsMax } from '@assay/contract/limits.ts';
import type { Delivery } from '@assay/contract/schemas/webhook.ts';
import type { ExpectedEvent, Model, Subscription } from '../model.ts';
import { interestIn } from './expect-events.ts';
import { learnEnd } from './learn.ts';

/**
 * The deliveries to a subscription, oldest first: one for each event that it subscribed to, in order of the events, and
 * one for each replay. Deliveries of deleted submissions are not listed.
 */
export function observeDeliveries(model: Model, subscription: Subscription, bodies: Delivery[]) {
  const used = new Set<ExpectedEvent>();
  let step = 0;
  const found = bodies.map((body) => {
    const replay = subscription.replays.find(({ deliveryId }) => deliveryId === body.deliveryId);
    const event = replay?.event ?? eventOf(model, subscription, body, used);
    assert.ok(event, `nothing could have caused ${JSON.stringify(body)}`);
    if (!replay) used.add(event);
    observeDelivery(subscription, event, body);
    const when = replay ? { from: replay.step, until: replay.step } : event;
    step = Math.max(step, when.from);
    assert.ok(step <= when.until, `a delivery of step ${when.until} is listed as newer than one of ${step}`);
    subscription.deliveries.set(body.deliveryId, { event, eventId: body.eventId });
    return { event, body };
  });
  const listed = new Set(bodies.map(({ deliveryId }) => deliveryId));
  assert.equal(listed.size, bodies.length, 'a delivery is listed twice');
  const isMissing = (event: ExpectedEvent) =>
    !event.submission.isDeleted && !used.has(event) && interestIn(subscription, event) === 'always';
  assert.deepEqual(model.events.filter(isMissing).map(formatEvent), [], 'undelivered events');
  const lost = subscription.replays.filter(
    ({ deliveryId, event }) => !event.submission.isDeleted && !listed.has(deliveryId),
  );
  assert.deepEqual(lost, [], 'unlisted replays');
  return found;
}

/** The event of a delivery. Until the stream has shown it, the first expected event that matches. */
function eventOf(model: Model, subscription: Subscription, body: Delivery, used: Set<ExpectedEvent>) {
  const isOfKind = ({ asset, type, livemode }: ExpectedEvent) =>
    asset.assetId === body.assetId && type === body.eventType && livemode === body.livemode;
  const find = () =>
    model.events.find(({ shown }) => shown?.id === body.eventId) ??
    model.events.find(
      (event) => !event.shown && isOfKind(event) && !used.has(event) && interestIn(subscription, event) !== 'never',
    );
  const known = find();
  if (known || !body.livemode) return known;
  // The delivery may show that an asset has ended, which the model did not know yet.
  for (const submission of model.submissions) {
    const asset = submission.assets.find(({ assetId }) => assetId === body.assetId);
    const isComplete = body.eventType === 'asset.processing.completed';
    if (asset?.state === 'running') learnEnd(model, submission, asset, (end) => (end === 'complete') === isComplete);
  }
  return find();
}

/** Checks a delivery. Without a worker it stays pending until the subscription is stopped. */
export function observeDelivery(subscription: Subscription, event: ExpectedEvent, body: Delivery): void {
  const replay = subscription.replays.find(({ deliveryId }) => deliveryId === body.deliveryId);
  const { submission, asset, type, livemode } = event;
  assert.ok(replay || interestIn(subscription, event) !== 'never', `not subscribed to ${formatEvent(event)}`);
  assert.ok(!submission.isDeleted, `${formatEvent(event)} was deleted with its submission`);
  const allowed = statusesOf(subscription, replay ? { from: replay.step, until: replay.step, isServed: false } : event);
  assert.ok(allowed.includes(body.status), `a delivery is ${body.status} instead of ${allowed.join(' or ')}`);
  const isDone = body.status === 'succeeded';
  const { deliveryId, nextAttemptAt, completedAt, createdAt } = body;
  assert.deepEqual(body, {
    deliveryId,
    eventId: replay?.eventId ?? event.shown?.id ?? body.eventId,
    eventType: type,
    subscriptionId: subscription.subscriptionId,
    submissionId: submission.submissionId,
    assetId: asset.assetId,
    status: body.status,
    attemptCount: isDone ? 1 : 0,
    maxAttempts: deliveryAttemptsMax,
    nextAttemptAt,
    lastResponseStatus: isDone ? 200 : null,
    isReplay: replay !== undefined,
    livemode,
    createdAt,
    completedAt,
  });
  assert.equal(nextAttemptAt === null, body.status !== 'pending', 'nextAttemptAt is set while it is pending');
  assert.equal(completedAt === null, body.status === 'pending', 'completedAt is set once it is not pending');
}

function statusesOf(
  { settings }: Subscription,
  { from, until, isServed }: Pick<ExpectedEvent, 'from' | 'until' | 'isServed'>,
): Delivery['status'][] {
  const stops = settings.filter(({ isActive }) => !isActive).map(({ since }) => since);
  const wasStopped = stops.some((step) => step > until);
  const mayBeStopped = stops.some((step) => step > from);
  const unsent: Delivery['status'][] = wasStopped
    ? ['cancelled']
    : mayBeStopped
      ? ['cancelled', 'pending']
      : ['pending'];
  return isServed ? ['succeeded', ...unsent] : unsent;
}

export function formatEvent({ submission, asset, type, livemode, attempt, from, until }: ExpectedEvent): string {
  const nth = `asset ${submission.assets.indexOf(asset)} of ${submission.label}, attempt ${attempt}`;
  return `${livemode ? 'live' : 'fired'} ${type} of ${nth}, in steps ${from} to ${until}`;
}
