import { z } from 'zod';
import {
  deliveriesPage,
  deliveryAttemptsMax,
  replayedDeliveriesMax,
  requestsPerSecondMax,
  secretGraceSeconds,
  subscriptionsPage,
  webhookUrlCharactersMax,
} from '../limits.ts';
import { Event, eventTypes } from './event.ts';
import { exampleCompletedAt } from './examples.ts';
import { assetId, meaning, submissionId, workspaceId } from './fields.ts';
import { optional, storableText } from './member.ts';
import { createdBetween, cursor, pageLimit, pageMembers, repeatableParameter, requestTime } from './page.ts';

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
const subscriptionId = z.uuid().meta({ description: 'ID of the subscription; `subscription_id` in paths.' });

const modeMeaning =
  'Subscriptions with `all` or `live` receive the events of live submissions, those with `sandbox` do not. Events fired in the sandbox are sent in every mode.';

const requestMembers = {
  url: storableText(webhookUrlCharactersMax)
    .min(1)
    .meta({
      format: 'uri',
      description:
        'An https URL without credentials that resolves to public addresses, or to networks the operator allows.',
      examples: ['https://media.example.com/hooks/assay'],
    }),
  eventTypes: z
    .array(eventType)
    .min(1)
    .max(20)
    .meta({
      description: 'The event types to receive. Duplicates are ignored.',
      examples: [['asset.processing.completed', 'asset.processing.failed']],
    })
    .transform((types) => [...new Set(types)]),
  description: storableText(500).meta({
    description: 'A text for your own use, such as the name of the receiver.',
    examples: ['The publishing pipeline'],
  }),
  mode: z.enum(subscriptionModes).meta({ description: modeMeaning }),
  maxRequestsPerSecond: z
    .int()
    .min(1)
    .max(requestsPerSecondMax)
    .meta({ description: 'How many requests per second the receiver gets at most.', examples: [10] }),
};

export const SubscriptionRequest = z
  .strictObject({
    url: requestMembers.url,
    eventTypes: requestMembers.eventTypes,
    description: optional(requestMembers.description),
    mode: optional(requestMembers.mode).meta({ description: `${modeMeaning} Default: \`all\`.` }),
    maxRequestsPerSecond: optional(requestMembers.maxRequestsPerSecond).meta({
      description: 'How many requests per second the receiver gets at most. Default: no limit.',
    }),
  })
  .meta({ id: 'SubscriptionRequest' });

/** Fields left out or null stay unchanged, except that null removes a description or a rate limit. */
export const SubscriptionChange = z
  .strictObject({
    url: optional(requestMembers.url),
    eventTypes: optional(requestMembers.eventTypes),
    description: requestMembers.description.nullish().meta({
      description: 'A text for your own use. Null removes it.',
    }),
    mode: optional(requestMembers.mode),
    maxRequestsPerSecond: requestMembers.maxRequestsPerSecond.nullish().meta({
      description: 'How many requests per second the receiver gets at most. Null removes the limit.',
    }),
    isActive: optional(z.boolean()).meta({
      description:
        'False deactivates the subscription and cancels its pending deliveries. True reactivates it, whatever the `disabledReason`.',
    }),
  })
  .refine(
    (change) => Object.values(change).some((value) => value !== undefined),
    'must contain at least one field to change.',
  )
  .meta({ id: 'SubscriptionChange' });

const subscription = {
  subscriptionId,
  workspaceId,
  url: z.string().meta({ description: 'Where the events are sent.' }),
  description: z
    .string()
    .nullable()
    .meta({ description: 'Your own text about the subscription; null if there is none.' }),
  eventTypes: z.array(eventType).meta({ description: 'The event types that the subscription receives.' }),
  isActive: z.boolean().meta({
    description: 'Whether events are sent. If false, `disabledReason` says why not.',
  }),
  mode: requestMembers.mode,
  createdWith: z.enum(['live', 'sandbox']).meta({
    description:
      'The kind of key that created the subscription. Sandbox keys cannot change subscriptions created with a live key.',
  }),
  maxRequestsPerSecond: z
    .int()
    .nullable()
    .meta({
      description: 'How many requests per second the receiver gets at most; null for no limit.',
      examples: [10],
    }),
  disabledReason: z.enum(disabledReasons).nullable().meta({
    description:
      'Why the subscription is inactive: `isActive` was set to false (`manual`), no attempt succeeded for days (`consecutive_failures`), the receiver responded with 410 (`gone`), or the URL resolved to an address that is not allowed (`blocked_address`). Null if it is active.',
  }),
  disabledAt: time.nullable().meta({
    description: 'When the subscription became inactive; null if it is active.',
    examples: [exampleCompletedAt],
  }),
  consecutiveFailureCount: z.int().min(0).meta({
    description: 'Number of failed attempts since the last success or reactivation.',
  }),
  lastDeliveryAt: time.nullable().meta({
    description: 'Time of the latest attempt, to within a second; null before the first. Test events do not count.',
    examples: [exampleCompletedAt],
  }),
  lastSuccessAt: time.nullable().meta({
    description: 'Time of the latest successful attempt, to within a second; null before the first.',
    examples: [exampleCompletedAt],
  }),
  createdAt: time.meta({ description: 'When the subscription was created.' }),
  updatedAt: time.meta({ description: 'When the settings or the secret were last changed.' }),
};

export const Subscription = z
  .object(subscription)
  .meta({ id: 'Subscription', description: 'A webhook subscription, without its secret.' });
export type Subscription = z.infer<typeof Subscription>;

const secret = z.string().meta({ description: 'Signs every event (`whsec_…`). Shown only once: store it.' });

export const CreatedSubscription = z.object({ ...subscription, secret }).meta({
  id: 'CreatedSubscription',
  description: 'A new webhook subscription, with its secret.',
});

export const SubscriptionList = z
  .object({
    subscriptions: z.array(Subscription).meta({ description: 'The subscriptions of this page, oldest first.' }),
    ...pageMembers,
  })
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
  .object({
    subscriptionId,
    secret: secret.meta({ description: 'The new secret (`whsec_…`). Shown only once: store it.' }),
    previousSecretExpiresAt: time.meta({
      description: 'Until this time, events are also signed with the old secret.',
    }),
  })
  .meta({ id: 'RotatedSecret' });

export const Attempt = z
  .object({
    attemptNumber: z.int().min(1).meta({ description: 'Counts the attempts of a delivery from 1.' }),
    trigger: z.enum(attemptTriggers).meta({
      description: '`manual` for the first attempt of a replay, `test` for a test event, otherwise `automatic`.',
    }),
    url: z.string().meta({ description: 'The URL of the subscription at the time of the attempt.' }),
    startedAt: time.meta({ description: 'When the request was sent.' }),
    durationMs: z.int().min(0).meta({ description: 'Milliseconds until the response was read or the attempt failed.' }),
    responseStatus: z.int().nullable().meta({
      description: 'HTTP status of the response; null if there was none.',
    }),
    responseBody: z.string().nullable().meta({
      description: 'The first 4 KiB of the response; null if there was none.',
    }),
    errorCode: z.enum(attemptErrorCodes).nullable().meta({
      description: 'Why the attempt failed; `http_status` for a response other than 2xx or 3xx. Null if it succeeded.',
    }),
    errorMessage: z
      .string()
      .nullable()
      .meta({
        description: 'Why the attempt failed, for humans. Null if it succeeded.',
        examples: ['The receiver responded with 503.'],
      }),
  })
  .meta({ id: 'DeliveryAttempt', description: 'One request to the URL of a subscription.' });
export type Attempt = z.infer<typeof Attempt>;

const delivery = {
  deliveryId: z.uuid().meta({ description: 'ID of the delivery; `delivery_id` in paths.' }),
  eventId: z.uuid().meta({
    description: 'ID of the event, sent as `id` and in `webhook-id`. A replay is another delivery of the same event.',
  }),
  eventType: eventType.meta({ description: 'Type of the event.' }),
  subscriptionId: meaning(subscriptionId, 'The subscription that receives the event.'),
  submissionId: submissionId.nullable().meta({
    description: 'The submission that the event is about. Null for a test event.',
  }),
  assetId: assetId.nullable().meta({ description: 'The asset that the event is about. Null for a test event.' }),
  status: z.enum(deliveryStatuses).meta({
    description:
      '`pending` while further attempts are planned, `succeeded` after a 2xx response, `failed` after the last attempt, `cancelled` if the subscription was deactivated before.',
  }),
  attemptCount: z.int().min(0).meta({ description: 'Number of attempts so far.' }),
  maxAttempts: z
    .int()
    .min(1)
    .meta({
      description: `After how many failed attempts the delivery fails: ${deliveryAttemptsMax}, or 1 for a test event.`,
    }),
  nextAttemptAt: time.nullable().meta({
    description: 'When the next attempt is due. Null if none is planned.',
    examples: [exampleCompletedAt],
  }),
  lastResponseStatus: z.int().nullable().meta({
    description: 'HTTP status of the latest attempt. Null before the first, or if it got no response.',
  }),
  isReplay: z.boolean().meta({ description: 'Whether the delivery was created by a replay.' }),
  livemode: z.boolean().meta({ description: 'False for events fired in the sandbox and for test events.' }),
  createdAt: time.meta({ description: 'When the delivery was created.' }),
  completedAt: time.nullable().meta({
    description: 'When the delivery succeeded, failed or was cancelled. Null while it is pending.',
  }),
};

export const Delivery = z
  .object(delivery)
  .meta({ id: 'Delivery', description: 'The delivery of one event to one subscription.' });
export type Delivery = z.infer<typeof Delivery>;

export const DeliveryDetail = z
  .object({
    ...delivery,
    payload: Event,
    attempts: z.array(Attempt).meta({ description: 'The attempts so far, oldest first.' }),
  })
  .meta({ id: 'DeliveryDetail', description: 'A delivery with its event and attempts.' });

export const DeliveryList = z
  .object({
    deliveries: z.array(Delivery).meta({ description: 'The deliveries of this page, newest first.' }),
    ...pageMembers,
  })
  .meta({ id: 'DeliveryList' });
export const DeliveryListQuery = z.object({
  status: repeatableParameter(z.enum(deliveryStatuses))
    .optional()
    .meta({ description: 'Only deliveries with these statuses. Can be repeated.', examples: [['failed']] }),
  eventType: repeatableParameter(eventType)
    .optional()
    .meta({
      description: 'Only events of these types. Can be repeated.',
      examples: [['asset.processing.failed']],
    }),
  ...createdBetween(time),
  limit: pageLimit(deliveriesPage),
  cursor: cursor.optional(),
});

/** A missing body, an empty body and `{}` are equivalent. */
export const ReplayRequest = z.strictObject({}).meta({ id: 'ReplayRequest' });
export const TestRequest = z.strictObject({}).meta({ id: 'TestRequest' });

export const RangeReplayRequest = z
  .strictObject({
    since: requestTime.meta({ description: 'Deliveries created at or after this time.' }),
    until: optional(requestTime).meta({
      description: 'Deliveries created before this time. Default: now.',
      examples: [exampleCompletedAt],
    }),
    statuses: optional(z.array(z.enum(['succeeded', 'failed', 'cancelled'])).min(1)).meta({
      description: 'Only deliveries with these statuses. Default: `["failed"]`.',
      examples: [['failed', 'cancelled']],
    }),
    eventTypes: optional(z.array(eventType).min(1)).meta({
      description: 'Only events of these types. Default: all.',
      examples: [['asset.processing.completed']],
    }),
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
