import { z } from 'zod';
import { assetFailures } from '../asset-failures.ts';
import { clientReferenceCharactersMax, firedErrorMessageCharactersMax } from '../limits.ts';
import { optional, text } from './member.ts';
import { pageMembers } from './page.ts';

// §6
export const eventTypes = ['asset.processing.completed', 'asset.processing.failed'] as const;
export type EventType = (typeof eventTypes)[number];

const time = z.iso.datetime();

const envelope = {
  id: z.uuid().meta({
    description: 'ID of the event: the same for every attempt and replay; also sent in the `webhook-id` header.',
  }),
  timestamp: time.meta({ description: 'When the event occurred.' }),
  livemode: z.boolean().meta({ description: 'False for events fired in the sandbox and for test events.' }),
};

// §2c: snake_case inside the data of an event, and nowhere else.
const asset = {
  asset_id: z.uuid(),
  submission_id: z.uuid(),
  workspace_id: z.uuid(),
  version_group_id: z.uuid(),
  version_number: z.int().min(1),
  retry_count: z.int().min(0),
  client_reference: z.string().max(clientReferenceCharactersMax).optional().meta({
    description: '`metadata.clientReference` of the submission, if it is a string of up to 200 characters.',
  }),
};

export const SeverityCounts = z.object({
  critical: z.int().min(0),
  major: z.int().min(0),
  minor: z.int().min(0),
  info: z.int().min(0),
});
export type SeverityCounts = z.infer<typeof SeverityCounts>;

export const CompletedEvent = z
  .object({
    ...envelope,
    type: z.literal('asset.processing.completed'),
    data: z.object({
      ...asset,
      status: z.literal('complete'),
      issue_count: z
        .int()
        .min(0)
        .nullable()
        .meta({ description: 'Null for an event fired in the sandbox, because nothing was analysed.' }),
      severity_counts: SeverityCounts.nullable(),
      completed_at: time,
    }),
  })
  .meta({ id: 'CompletedEvent' });

// §6b: asset_id, submission_id, workspace_id, status and error_message are the interface's own.
export const FailedEvent = z
  .object({
    ...envelope,
    type: z.literal('asset.processing.failed'),
    data: z.object({
      ...asset,
      status: z.literal('failed'),
      error_message: z.string(),
      error_type: z.enum(Object.keys(assetFailures) as [keyof typeof assetFailures]),
      is_retryable: z.boolean(),
      failed_at: time,
    }),
  })
  .meta({ id: 'FailedEvent' });

export const Event = z.discriminatedUnion('type', [CompletedEvent, FailedEvent]).meta({ id: 'Event' });
export type Event = z.infer<typeof Event>;

export const EventTypeList = z
  .object({
    eventTypes: z.array(z.object({ eventType: z.enum(eventTypes), description: z.string() })),
    ...pageMembers,
  })
  .meta({ id: 'EventTypeList' });

/** §4.10 */
export const FireRequest = z
  .strictObject({
    eventType: z.enum(eventTypes),
    submissionId: z.guid().toLowerCase(),
    errorMessage: optional(text(firedErrorMessageCharactersMax)).meta({
      description: 'Only for `asset.processing.failed`. Default: `Sandbox simulated failure`.',
    }),
  })
  .meta({ id: 'FireRequest' });

export const FireResult = z
  .object({ dispatched: z.int().min(0).meta({ description: 'Number of subscriptions notified, across all assets.' }) })
  .meta({ id: 'FireResult' });

/** §4.10c */
export const firedErrorMessage = 'Sandbox simulated failure';

export const eventDescriptions: Record<EventType, string> = {
  'asset.processing.completed': 'An asset finished processing. Its issues are available.',
  'asset.processing.failed':
    'An asset failed. `error_type` is the reason; `is_retryable` says whether the asset can be retried.',
};
