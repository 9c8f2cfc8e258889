import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Commands } from '../commands.ts';
import { observeDeliveries, observeDelivery } from '../expect/observe-deliveries.ts';
import { checkPayload, observeEvents } from '../expect/observe-events.ts';
import type { Model, Subscription } from '../model.ts';
import { readPages, type Session, sendAndCheck } from '../session.ts';
import { choose, type SubscriptionTarget } from '../targets.ts';
import { ensureSubscription, responsesFor, responsesToChange, subscriptionsPath } from './perform-subscriptions.ts';

/**
 * Reads the whole list page by page. It must contain every delivery once, newest first. Then reads the payload of one
 * of them.
 */
export async function deliveries(command: Commands['deliveries'], model: Model, session: Session): Promise<void> {
  const target = await ensureSubscription(command, model, session);
  return readDeliveries(command, target, model, session);
}

async function readDeliveries(
  { by, limit, pick }: Pick<Commands['deliveries'], 'by' | 'limit' | 'pick'>,
  { subscription, subscriptionId, label }: SubscriptionTarget,
  model: Model,
  session: Session,
): Promise<void> {
  const path = `${subscriptionsPath}/${subscriptionId}/deliveries`;
  // Called before listing, because an event that is shown later may be newer than the list.
  observeEvents(model, session);
  const bodies = await readPages(
    session,
    { op: 'deliveries', what: `to ${label} ?limit=${limit} by ${by}`, allowed: responsesFor(subscription, '200') },
    { client: session.idle[by], path: `${path}?limit=${limit}`, member: 'deliveries', limit },
  );
  if (!bodies) return;
  const found = observeDeliveries(model, subscription as Subscription, bodies.toReversed());
  const { receivedBy } = session.service;
  const arrived = new Set(receivedBy(session.workspaceId).map(({ path, event }) => `${path} ${event.id}`));
  const receiverPath = new URL((subscription as Subscription).url).pathname;
  for (const { status, eventId } of bodies) {
    session.tally.count('delivered', status, 0);
    if (status === 'succeeded') assert.ok(arrived.has(`${receiverPath} ${eventId}`), `${eventId} was never received`);
  }
  const chosen = choose(found, pick);
  if (!chosen) return;
  const { response } = await sendAndCheck(session, 'delivery', `${pick} to ${label} by ${by}`, ['200'], () =>
    session.idle[by].get(`${path}/${chosen.body.deliveryId}`),
  );
  const { payload, attempts, ...body } = response.body;
  observeDelivery(subscription as Subscription, chosen.event, body);
  checkPayload(chosen.event, session.workspaceId, payload);
  assert.equal(payload.id, body.eventId);
  if (chosen.event.shown)
    assert.deepEqual(payload, chosen.event.shown, 'a receiver gets the same payload as the stream');
  assert.equal(attempts.length, body.attemptCount);
}

/** Replays a delivery, which creates a new delivery of the same event to the same subscription. */
export async function resend(command: Commands['resend'], model: Model, session: Session): Promise<void> {
  const { by, pick } = command;
  const target = await ensureSubscription(command, model, session);
  const { subscription, subscriptionId, label } = target;
  // A caller has read a delivery before replaying it.
  if (subscription?.deliveries.size === 0) await readDeliveries({ by, limit: 100, pick }, target, model, session);
  const [deliveryId, delivery] = choose([...(subscription?.deliveries ?? [])], pick) ?? [randomUUID(), undefined];
  const isThere = delivery && !delivery.event.submission.isDeleted;
  const isActive = subscription?.settings.at(-1)?.isActive;
  const { response, outcome } = await sendAndCheck(
    session,
    'resend',
    `${delivery ? `delivery ${pick}` : 'no delivery'} to ${label} by ${by}`,
    responsesToChange(
      subscription,
      by,
      isThere ? (isActive ? '202' : '409 subscription_inactive') : '404 delivery_not_found',
    ),
    () => session.idle[by].post(`${subscriptionsPath}/${subscriptionId}/deliveries/${deliveryId}/replay`),
  );
  if (outcome !== '202' || !subscription || !delivery) return;
  const replayed = { ...delivery, deliveryId: response.body.deliveryId, step: model.step };
  assert.ok(!subscription.deliveries.has(replayed.deliveryId), 'a replay is a new delivery');
  subscription.replays.push(replayed);
  observeDelivery(subscription, delivery.event, response.body);
}
