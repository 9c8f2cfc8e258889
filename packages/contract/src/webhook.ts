import { z } from 'zod';
import { Event, eventTypes } from './event.ts';
import {
  deliveriesPage,
  replayedDeliveriesMax,
  requestsPerSecondMax,
  secretGraceSeconds,
  subscriptionsPage,
  webhookUrlCharactersMax,
} from './limits.ts';
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
    description: 'https, without user info, and reachable on the public Internet unless the operator allows more.',
  }),
  eventTypes: z
    .array(eventType)
    .min(1)
    .max(20)
    .transform((types) => [...new Set(types)]),
  description: text(500),
  mode: z.enum(subscriptionModes).meta({
    description:
      'With `all` and `live` it gets the events of live submissions, with `sandbox` none of them. Fired events come in every mode.',
  }),
  maxRequestsPerSecond: z.int().min(1).max(requestsPerSecondMax),
};

export const SubscriptionRequest = z
  .strictObject({
    url: chosen.url,
    eventTypes: chosen.eventTypes,
    description: optional(chosen.description),
    mode: optional(chosen.mode).meta({ description: 'Default `all`.' }),
    maxRequestsPerSecond: optional(chosen.maxRequestsPerSecond).meta({ description: 'Left out: no such limit.' }),
  })
  .meta({ id: 'SubscriptionRequest' });

/** What is left out, or null, stays as it is; but null takes a description or a limit away. */
export const SubscriptionChange = z
  .strictObject({
    url: optional(chosen.url),
    eventTypes: optional(chosen.eventTypes),
    description: chosen.description.nullish(),
    mode: optional(chosen.mode),
    maxRequestsPerSecond: chosen.maxRequestsPerSecond.nullish(),
    isActive: optional(z.boolean()).meta({ description: 'True takes a subscription into use again.' }),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), 'Name at least one member to change.')
  .meta({ id: 'SubscriptionChange' });

const subscription = {
  subscriptionId: z.uuid(),
  workspaceId: z.uuid(),
  url: z.string(),
  description: z.string().nullable(),
  eventTypes: z.array(eventType),
  isActive: z.boolean(),
  mode: z.enum(subscriptionModes),
  createdWith: z
    .enum(['live', 'sandbox'])
    .meta({ description: 'The kind of key that made it. What a live key made, no sandbox key changes.' }),
  maxRequestsPerSecond: z.int().nullable(),
  disabledReason: z.enum(disabledReasons).nullable().meta({ description: 'Why it is not active.' }),
  disabledAt: time.nullable(),
  consecutiveFailureCount: z.int().min(0).meta({ description: 'Failed attempts since the last success.' }),
  lastDeliveryAt: time.nullable(),
  lastSuccessAt: time.nullable(),
  createdAt: time,
  updatedAt: time,
};

export const Subscription = z.object(subscription).meta({ id: 'Subscription' });
export type Subscription = z.infer<typeof Subscription>;

const secret = z.string().meta({ description: 'Signs every event (`whsec_…`). Shown here and never again: keep it.' });

export const CreatedSubscription = z.object({ ...subscription, secret }).meta({ id: 'CreatedSubscription' });

export const SubscriptionList = z
  .object({ subscriptions: z.array(Subscription), ...pageMembers })
  .meta({ id: 'SubscriptionList' });
export const SubscriptionListQuery = z.object({ limit: pageLimit(subscriptionsPage), cursor: cursor.optional() });

export const RotationRequest = z
  .strictObject({
    graceSeconds: optional(z.int().min(0).max(secretGraceSeconds.max)).meta({
      description: `So long the old secret signs too: 0 to ${secretGraceSeconds.max}, default ${secretGraceSeconds.default}.`,
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
    responseBody: z.string().nullable().meta({ description: 'The first 4 KiB of what the receiver answered.' }),
    errorCode: z.enum(attemptErrorCodes).nullable().meta({ description: 'Null for an attempt that succeeded.' }),
    errorMessage: z.string().nullable(),
  })
  .meta({ id: 'DeliveryAttempt' });
export type Attempt = z.infer<typeof Attempt>;

const delivery = {
  deliveryId: z.uuid(),
  eventId: z.uuid(),
  eventType,
  subscriptionId: z.uuid(),
  submissionId: z.uuid().nullable().meta({ description: 'Null for a test.' }),
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
  createdAfter: time.optional().meta({ description: 'Created later than this.' }),
  createdBefore: time.optional().meta({ description: 'Created earlier than this.' }),
  limit: pageLimit(deliveriesPage),
  cursor: cursor.optional(),
});

/** One delivery is replayed without a body, an empty one or `{}`. */
export const ReplayRequest = z.strictObject({}).meta({ id: 'ReplayRequest' });
export const TestRequest = z.strictObject({}).meta({ id: 'TestRequest' });

export const RangeReplayRequest = z
  .strictObject({
    since: givenTime.meta({ description: 'Deliveries created from this moment on.' }),
    until: optional(givenTime).meta({ description: 'And before this one. Left out: until now.' }),
    statuses: optional(z.array(z.enum(['succeeded', 'failed', 'cancelled'])).min(1)).meta({
      description: 'Default: `["failed"]`.',
    }),
    eventTypes: optional(z.array(eventType).min(1)).meta({ description: 'Left out: all.' }),
  })
  .meta({ id: 'RangeReplayRequest' });

export const RangeReplayResult = z
  .object({
    enqueued: z
      .int()
      .min(0)
      .meta({
        description: `Events that are sent again, each once; at most ${replayedDeliveriesMax}, oldest first.`,
      }),
  })
  .meta({ id: 'RangeReplayResult' });
