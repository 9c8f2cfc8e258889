import { z } from 'zod';
import {
  deliveriesPage,
  replayedDeliveriesMax,
  requestsPerSecondMax,
  secretGraceSeconds,
  subscriptionsPage,
  webhookUrlCharactersMax,
} from '../limits.ts';
import { Event, eventTypes } from './event.ts';
import { optional, text } from './member.ts';
import { anyOf, cursor, givenTime, pageLimit, pageMembers } from './page.ts';

export const subscriptionModes = ['all', 'live', 'sandbox'] as const;
export const disabledReasons = ['manual', 'consecutive_failures', 'gone', 'blocked_address'] as const;
export type DisabledReason = (typeof disabledReasons)[number];
export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'cancelled'] as const;
export const attemptTriggers = ['automatic', 'manual', 'test'] as const;
export const attemptErrorCodes = [
  'http_status',
  'timeout',
  'dns',
  'connect',
  'tls',
  'redirect',
  'blocked_address',
  'cancelled',
] as const;
export type AttemptErrorCode = (typeof attemptErrorCodes)[number];

const time = z.iso.datetime();
const eventType = z.enum(eventTypes);

const chosen = {
  url: text(webhookUrlCharactersMax).min(1).meta({
    format: 'uri',
    description:
      'An https URL without credentials that resolves to public addresses, or to networks the operator allows.',
  }),
  eventTypes: z
    .array(eventType)
    .min(1)
    .max(20)
    .transform((types) => [...new Set(types)]),
  description: text(500),
  mode: z.enum(subscriptionModes).meta({
    description:
      'Subscriptions with `all` or `live` receive the events of live submissions, those with `sandbox` do not. Events fired in the sandbox are sent in every mode.',
  }),
  maxRequestsPerSecond: z.int().min(1).max(requestsPerSecondMax),
};

export const SubscriptionRequest = z
  .strictObject({
    url: chosen.url,
    eventTypes: chosen.eventTypes,
    description: optional(chosen.description),
    mode: optional(chosen.mode).meta({ description: 'Default: `all`.' }),
    maxRequestsPerSecond: optional(chosen.maxRequestsPerSecond).meta({ description: 'Default: no limit.' }),
  })
  .meta({ id: 'SubscriptionRequest' });

/** Fields left out or null stay unchanged, except that null removes a description or a rate limit. */
export const SubscriptionChange = z
  .strictObject({
    url: optional(chosen.url),
    eventTypes: optional(chosen.eventTypes),
    description: chosen.description.nullish(),
    mode: optional(chosen.mode),
    maxRequestsPerSecond: chosen.maxRequestsPerSecond.nullish(),
    isActive: optional(z.boolean()).meta({ description: 'True reactivates the subscription.' }),
  })
  .refine(
    (change) => Object.values(change).some((value) => value !== undefined),
    'must contain at least one field to change.',
  )
  .meta({ id: 'SubscriptionChange' });

const subscription = {
  subscriptionId: z.uuid(),
  workspaceId: z.uuid(),
  url: z.string(),
  description: z.string().nullable(),
  eventTypes: z.array(eventType),
  isActive: z.boolean(),
  mode: z.enum(subscriptionModes),
  createdWith: z.enum(['live', 'sandbox']).meta({
    description:
      'The kind of key that created the subscription. Sandbox keys cannot change subscriptions created with a live key.',
  }),
  maxRequestsPerSecond: z.int().nullable(),
  disabledReason: z.enum(disabledReasons).nullable().meta({ description: 'Why the subscription is inactive.' }),
  disabledAt: time.nullable(),
  consecutiveFailureCount: z.int().min(0).meta({ description: 'Number of failed attempts since the last success.' }),
  lastDeliveryAt: time.nullable(),
  lastSuccessAt: time.nullable(),
  createdAt: time,
  updatedAt: time,
};

export const Subscription = z.object(subscription).meta({ id: 'Subscription' });
export type Subscription = z.infer<typeof Subscription>;

const secret = z.string().meta({ description: 'Signs every event (`whsec_…`). Shown only once: store it.' });

export const CreatedSubscription = z.object({ ...subscription, secret }).meta({ id: 'CreatedSubscription' });

export const SubscriptionList = z
  .object({ subscriptions: z.array(Subscription), ...pageMembers })
  .meta({ id: 'SubscriptionList' });
export const SubscriptionListQuery = z.object({ limit: pageLimit(subscriptionsPage), cursor: cursor.optional() });

export const RotationRequest = z
  .strictObject({
    graceSeconds: optional(z.int().min(0).max(secretGraceSeconds.max)).meta({
      description: `How long events are also signed with the old secret: 0 to ${secretGraceSeconds.max} seconds. Default: ${secretGraceSeconds.default}.`,
    }),
  })
  .meta({ id: 'RotationRequest' });

export const RotatedSecret = z
  .object({ subscriptionId: z.uuid(), secret, previousSecretExpiresAt: time })
  .meta({ id: 'RotatedSecret' });

export const Attempt = z
  .object({
    attemptNumber: z.int().min(1),
    trigger: z.enum(attemptTriggers),
    url: z.string(),
    startedAt: time,
    durationMs: z.int().min(0),
    responseStatus: z.int().nullable(),
    responseBody: z.string().nullable().meta({ description: 'The first 4 KiB of the response.' }),
    errorCode: z.enum(attemptErrorCodes).nullable().meta({ description: 'Null if the attempt succeeded.' }),
    errorMessage: z.string().nullable(),
  })
  .meta({ id: 'DeliveryAttempt' });
export type Attempt = z.infer<typeof Attempt>;

const delivery = {
  deliveryId: z.uuid(),
  eventId: z.uuid(),
  eventType,
  subscriptionId: z.uuid(),
  submissionId: z.uuid().nullable().meta({ description: 'Null for a test event.' }),
  assetId: z.uuid().nullable(),
  status: z.enum(deliveryStatuses),
  attemptCount: z.int().min(0),
  maxAttempts: z.int().min(1),
  nextAttemptAt: time.nullable(),
  lastResponseStatus: z.int().nullable(),
  isReplay: z.boolean(),
  livemode: z.boolean(),
  createdAt: time,
  completedAt: time.nullable(),
};

export const Delivery = z.object(delivery).meta({ id: 'Delivery' });
export type Delivery = z.infer<typeof Delivery>;

export const DeliveryDetail = z
  .object({ ...delivery, payload: Event, attempts: z.array(Attempt) })
  .meta({ id: 'DeliveryDetail' });

export const DeliveryList = z.object({ deliveries: z.array(Delivery), ...pageMembers }).meta({ id: 'DeliveryList' });
export const DeliveryListQuery = z.object({
  status: anyOf(z.enum(deliveryStatuses)).optional(),
  eventType: anyOf(eventType).optional(),
  createdAfter: time.optional().meta({ description: 'Created after this time.' }),
  createdBefore: time.optional().meta({ description: 'Created before this time.' }),
  limit: pageLimit(deliveriesPage),
  cursor: cursor.optional(),
});

/** No body, an empty one and `{}` are equivalent. */
export const ReplayRequest = z.strictObject({}).meta({ id: 'ReplayRequest' });
export const TestRequest = z.strictObject({}).meta({ id: 'TestRequest' });

export const RangeReplayRequest = z
  .strictObject({
    since: givenTime.meta({ description: 'Deliveries created at or after this time.' }),
    until: optional(givenTime).meta({ description: 'Deliveries created before this time. Default: now.' }),
    statuses: optional(z.array(z.enum(['succeeded', 'failed', 'cancelled'])).min(1)).meta({
      description: 'Default: `["failed"]`.',
    }),
    eventTypes: optional(z.array(eventType).min(1)).meta({ description: 'Default: all event types.' }),
  })
  .meta({ id: 'RangeReplayRequest' });

export const RangeReplayResult = z
  .object({
    enqueued: z
      .int()
      .min(0)
      .meta({
        description: `Number of events queued to be sent again, each once; up to ${replayedDeliveriesMax}, oldest first.`,
      }),
  })
  .meta({ id: 'RangeReplayResult' });
