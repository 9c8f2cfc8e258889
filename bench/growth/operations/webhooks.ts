import { randomUUIDv7 } from 'node:crypto';
import { eventTypes } from '@assay/contract/schemas/event.ts';
import * as deliveries from '@assay/server/modules/webhooks/deliveries/delivery-store.ts';
import * as events from '@assay/server/modules/webhooks/events/event-store.ts';
import * as subscriptions from '@assay/server/modules/webhooks/subscriptions/subscription-store.ts';
import { contents } from '../fill.ts';
import type { Sample } from '../sample.ts';
import type { Operations } from './operation.ts';
import { idAt } from './submissions.ts';

const [completed, failed] = eventTypes;
const limit = 100;
/** So few that both databases have as many. */
const rareLimit = 10;
const secret = Buffer.alloc(60, 1);

const list = (filter: (sample: Sample) => Partial<deliveries.DeliveryFilter>) =>
  ((db, sample: Sample) =>
    deliveries.listDeliveries(db, sample.workspaceId, sample.subscriptionId, {
      statuses: undefined,
      eventTypes: undefined,
      createdAfter: undefined,
      createdBefore: undefined,
      beforeId: undefined,
      limit,
      ...filter(sample),
    })) satisfies Operations[string];

const attempt = (now: Date, responseStatus: number) => ({
  attemptNumber: 1,
  trigger: 'automatic' as const,
  url: 'https://example.com/hook',
  startedAt: now.toISOString(),
  durationMs: 20,
  responseStatus,
  responseBody: null,
  errorCode: responseStatus < 400 ? null : ('http_status' as const),
  errorMessage: null,
});

const record = (status: 'succeeded' | 'pending', responseStatus: number) =>
  ((db, { workspaceId, pendingDeliveryId, now }: Sample) =>
    deliveries.recordAttempt(db, workspaceId, {
      deliveryId: pendingDeliveryId,
      attempt: attempt(now, responseStatus),
      status,
      nextAttemptAt: status === 'pending' ? now : null,
      lookAfterAt: now,
      disable: null,
      failingSinceMax: now,
      now,
    })) satisfies Operations[string];

const minutes = (now: Date, count: number) => new Date(now.getTime() + count * 60_000);
const dayBefore = (now: Date) => minutes(now, -24 * 60);

export const webhooks: Operations = {
  insertEvents: (db, { workspaceId, unfinished, now }) =>
    events.insertEvents(
      db,
      workspaceId,
      [
        {
          eventId: randomUUIDv7(),
          type: completed,
          livemode: true,
          submissionId: unfinished.submissionId,
          assetId: unfinished.assetId,
          body: '{}',
        },
      ],
      { now, lookAfterAt: now },
    ),
  'listEventsAfter: oldest': (db, { workspaceId }) =>
    events.listEventsAfter(db, workspaceId, { writtenBy: '0', eventId: idAt(new Date(0)) }, limit),
  'listEventsAfter: next page': async (db, { workspaceId, eventId }) =>
    events.listEventsAfter(db, workspaceId, { writtenBy: '0', eventId }, limit),
  listEventIdsAfter: async (db, { workspaceId }) =>
    events.listEventIdsAfter(db, workspaceId, await events.findEventPosition(db)),
  findEventPosition: (db) => events.findEventPosition(db),
  removeEventRows: (db, { workspaceId, complete }) => events.removeEventRows(db, workspaceId, complete.submissionId),

  'listDeliveries: first page': list(() => ({})),
  'listDeliveries: next page': list(({ deliveryId }) => ({ beforeId: deliveryId })),
  'listDeliveries: failed': list(() => ({ statuses: ['failed'], limit: rareLimit })),
  'listDeliveries: cancelled': list(() => ({ statuses: ['cancelled'], limit: rareLimit })),
  'listDeliveries: by event type': list(() => ({ eventTypes: [failed], limit: rareLimit })),
  'listDeliveries: failed, of one type, next page': list(({ deliveryId }) => ({
    statuses: ['failed'],
    eventTypes: [completed],
    beforeId: deliveryId,
    limit: rareLimit,
  })),
  'listDeliveries: created after': list(({ now }) => ({ createdAfter: dayBefore(now), limit: rareLimit })),
  'listDeliveries: created before': list(({ late }) => ({ createdBefore: late })),
  'listDeliveries: failed, created before': list(({ late }) => ({
    statuses: ['failed'],
    createdBefore: late,
    limit: rareLimit,
  })),
  'listDeliveries: succeeded, none is that new': list(({ now }) => ({
    statuses: ['succeeded'],
    createdAfter: minutes(now, 24 * 60),
  })),
  findDelivery: (db, { workspaceId, subscriptionId, deliveryId }) =>
    deliveries.findDelivery(db, workspaceId, subscriptionId, deliveryId),
  findPendingDelivery: (db, { workspaceId, pendingDeliveryId }) =>
    deliveries.findPendingDelivery(db, workspaceId, pendingDeliveryId),
  'recordAttempt: succeeded': record('succeeded', 200),
  'recordAttempt: failed': record('pending', 500),
  insertTest: (db, { workspaceId, subscriptionId, now }) =>
    deliveries.insertTest(
      db,
      workspaceId,
      { eventId: randomUUIDv7(), type: completed, body: '{}' },
      subscriptionId,
      attempt(now, 200),
      now,
    ),
  insertReplay: (db, { workspaceId, deliveryId, now }) =>
    deliveries.insertReplay(db, workspaceId, deliveryId, now, now),
  'insertReplays: ten failed': (db, { workspaceId, subscriptionId, tenFailedSince, now }) =>
    deliveries.insertReplays(
      db,
      workspaceId,
      subscriptionId,
      { since: tenFailedSince, until: now, statuses: ['failed'], eventTypes: undefined },
      now,
    ),
  claimDueDeliveries: (db, { now }) => deliveries.claimDueDeliveries(db, minutes(now, 180), minutes(now, 181), limit),
  recordStarted: (db, { pendingDeliveryId, now }) => deliveries.recordStarted(db, [pendingDeliveryId], now, 60),
  deleteEventsBefore: (db, { now }) => {
    const monthMinutes = 30 * 24 * 60;
    return deliveries.deleteEventsBefore(db, idAt(minutes(now, (1 - contents.newestMonths) * monthMinutes)), limit);
  },
  'deleteEventsBefore: none': (db, { early }) => deliveries.deleteEventsBefore(db, idAt(early), limit),

  insertSubscription: (db, { workspaceId, now }) =>
    subscriptions.insertSubscription(
      db,
      workspaceId,
      {
        subscription_id: randomUUIDv7(),
        url: 'https://example.com/other',
        description: null,
        event_types: [completed],
        mode: 'all',
        created_with: 'live',
        max_requests_per_second: null,
        secret,
      },
      now,
    ),
  countSubscriptions: (db, { workspaceId }) => subscriptions.countSubscriptions(db, workspaceId),
  findSubscription: (db, { workspaceId, subscriptionId }) =>
    subscriptions.findSubscription(db, workspaceId, subscriptionId),
  'listSubscriptions: first page': (db, { workspaceId }) =>
    subscriptions.listSubscriptions(db, workspaceId, undefined, limit),
  'listSubscriptions: next page': (db, { workspaceId, subscriptionId }) =>
    subscriptions.listSubscriptions(db, workspaceId, subscriptionId, limit),
  updateSubscription: (db, { workspaceId, subscriptionId, now }) =>
    subscriptions.updateSubscription(db, workspaceId, subscriptionId, { isActive: false }, now),
  removeWebhookRows: (db, { workspaceId }) => subscriptions.removeWebhookRows(db, workspaceId, limit),
  deleteSubscription: (db, { workspaceId, subscriptionId }) =>
    subscriptions.deleteSubscription(db, workspaceId, subscriptionId),
  replaceSecret: (db, { workspaceId, subscriptionId, now }) =>
    subscriptions.replaceSecret(db, workspaceId, subscriptionId, secret, now, now),
  findSecrets: (db, { workspaceId, subscriptionId }) => subscriptions.findSecrets(db, workspaceId, subscriptionId),
  'listSealedSecrets: first page': (db) => subscriptions.listSealedSecrets(db, undefined, limit),
  'listSealedSecrets: next page': (db, { subscriptionId }) =>
    subscriptions.listSealedSecrets(db, subscriptionId, limit),
  findSealedSecrets: (db, { subscriptionId }) => subscriptions.findSealedSecrets(db, subscriptionId),
  replaceSealedSecrets: (db, { subscriptionId }) =>
    subscriptions.replaceSealedSecrets(
      db,
      { subscriptionId, secret: Buffer.alloc(1), previousSecret: null },
      { secret, previousSecret: null },
    ),
  cancelDelivery: (db, { workspaceId, pendingDeliveryId, now }) =>
    subscriptions.cancelDelivery(db, workspaceId, pendingDeliveryId, now),
  cancelPendingDeliveries: async (db, { workspaceId, subscriptionId, now }) => {
    await subscriptions.updateSubscription(db, workspaceId, subscriptionId, { isActive: false }, now);
    await subscriptions.cancelPendingDeliveries(db, workspaceId, subscriptionId, now);
  },
};
