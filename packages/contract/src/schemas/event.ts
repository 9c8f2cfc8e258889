import { z } from 'zod';
import { assetFailures } from '../asset-failures.ts';
import { clientReferenceCharactersMax, firedErrorMessageCharactersMax } from '../limits.ts';
import { actorKinds } from '../rights.ts';
import { verdicts } from '../verdict.ts';
import {
  exampleCompletedEvent,
  exampleFailedEvent,
  exampleFinishedEvent,
  exampleVerdictChangedEvent,
} from './examples.ts';
import {
  assetId,
  meaning,
  severity,
  statusCount,
  submissionId,
  versionGroupId,
  versionNumber,
  workspaceId,
} from './fields.ts';
import { optional, storableText } from './member.ts';
import { pageMembers } from './page.ts';
import { SeverityCounts } from './verdict-members.ts';

// §6
export const eventTypes = [
  'asset.processing.completed',
  'asset.processing.failed',
  'asset.verdict.changed',
  'submission.processing.finished',
] as const;
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
const clientReference = {
  client_reference: z
    .string()
    .max(clientReferenceCharactersMax)
    .optional()
    .meta({
      description: `\`metadata.clientReference\` of the submission, if it is a string of up to ${clientReferenceCharactersMax} characters.`,
    }),
};

const asset = {
  asset_id: meaning(assetId, 'The asset that the event is about.'),
  submission_id: meaning(submissionId, 'The submission that contains the asset.'),
  workspace_id: meaning(workspaceId, 'The workspace of the submission.'),
  version_group_id: versionGroupId,
  version_number: versionNumber,
  retry_count: z.int().min(0).meta({ description: 'How often the asset had been retried.' }),
  ...clientReference,
};

const verdictCount = z.int().min(0).nullable();

const verdict = z.enum(verdicts).nullable().meta({
  description: 'What the delivery profile says of the asset. Null for fired events and test events.',
});

const verdictMembers = {
  verdict,
  severity_counts: SeverityCounts.nullable().meta({
    description: 'Number of issues by severity. Null if nothing was analysed.',
    examples: [{ critical: 0, major: 1, minor: 1, info: 0 }],
  }),
  status_counts: z
    .object({
      open: statusCount('OPEN'),
      acknowledged: statusCount('ACKNOWLEDGED'),
      awaiting_human_input: statusCount('AWAITING_HUMAN_INPUT'),
      resolved: statusCount('RESOLVED'),
      dismissed: statusCount('DISMISSED'),
    })
    .nullable()
    .meta({
      description: 'Number of issues by status. Null if nothing was analysed.',
      examples: [{ open: 1, acknowledged: 0, awaiting_human_input: 1, resolved: 0, dismissed: 2 }],
    }),
  blocking_count: verdictCount.meta({
    description: 'Number of issues that make the verdict `failed`. Null if nothing was analysed.',
    examples: [1],
  }),
  review_count: verdictCount.meta({
    description: 'Number of issues and incomplete checks that a person has to look at. Null if nothing was analysed.',
    examples: [1],
  }),
  waived_count: verdictCount.meta({
    description: 'Number of issues that a caller has waived. Null if nothing was analysed.',
    examples: [2],
  }),
  profile: z
    .object({
      name: z.string().meta({ description: 'Name of the delivery profile.' }),
      revision: z.int().min(1).meta({ description: 'Its revision.' }),
      fail_on: meaning(severity, 'The severity from which an open issue makes the verdict `failed`.'),
    })
    .nullable()
    .meta({ description: 'The delivery profile of the submission. Null for fired events and test events.' }),
};

export const CompletedEvent = z
  .object({
    ...envelope,
    type: z.literal('asset.processing.completed').meta({ description: 'The event type.' }),
    data: z
      .object({
        ...asset,
        status: z.literal('complete').meta({ description: 'Status of the asset.' }),
        issue_count: z.int().min(0).nullable().meta({
          description: 'Number of issues. Null for fired events and test events, because nothing was analysed.',
        }),
        ...verdictMembers,
        completed_at: time.meta({ description: 'When the asset was completed; the same as `timestamp`.' }),
      })
      .meta({ description: 'The completed asset. Its members are in snake_case.' }),
  })
  .meta({ id: 'CompletedEvent', examples: [exampleCompletedEvent] });

// §6b: the interface defines asset_id, submission_id, workspace_id, status and error_message; the rest is added.
export const FailedEvent = z
  .object({
    ...envelope,
    type: z.literal('asset.processing.failed').meta({ description: 'The event type.' }),
    data: z
      .object({
        ...asset,
        status: z.literal('failed').meta({ description: 'Status of the asset.' }),
        error_message: z.string().meta({
          description: 'Why the asset failed and what to do, for humans. In a fired event, the `errorMessage` sent.',
        }),
        error_type: z.enum(Object.keys(assetFailures) as [keyof typeof assetFailures]).meta({
          description: 'Why the asset failed, as a stable code. Always `internal_error` in a fired event.',
        }),
        is_retryable: z.boolean().meta({ description: 'Whether the asset can be retried.' }),
        ...verdictMembers,
        failed_at: time.meta({ description: 'When the asset failed; the same as `timestamp`.' }),
      })
      .meta({ description: 'The failed asset. Its members are in snake_case.' }),
  })
  .meta({ id: 'FailedEvent', examples: [exampleFailedEvent] });

/** What changes the verdict on an asset after it was processed. */
const verdictCauses = ['decision'] as const;

export const VerdictChangedEvent = z
  .object({
    ...envelope,
    type: z.literal('asset.verdict.changed').meta({ description: 'The event type.' }),
    data: z
      .object({
        ...asset,
        previous_verdict: meaning(verdict, 'The verdict before the change. Null for test events.'),
        ...verdictMembers,
        cause: z.enum(verdictCauses).meta({
          description: 'What changed the verdict: a `decision` on an issue. More causes may be added.',
        }),
        issue_id: z.uuid().meta({ description: 'The issue that was decided. Reading it gives the decision.' }),
        actor: z
          .object({
            kind: z.enum(actorKinds).meta({ description: 'What kind of actor decided.' }),
            id: z.uuid().nullable().meta({ description: 'ID of the API key, not the key itself; null if unknown.' }),
          })
          .meta({ description: 'Who decided.' }),
        changed_at: time.meta({ description: 'When the decision was made.' }),
      })
      .meta({ description: 'The asset and its new verdict. Its members are in snake_case.' }),
  })
  .meta({ id: 'VerdictChangedEvent', examples: [exampleVerdictChangedEvent] });

const ofSubmission = 'in all assets of the submission. Null if no asset is complete';

export const FinishedEvent = z
  .object({
    ...envelope,
    type: z.literal('submission.processing.finished').meta({ description: 'The event type.' }),
    data: z
      .object({
        submission_id: meaning(submissionId, 'The submission that the event is about.'),
        workspace_id: meaning(workspaceId, 'The workspace of the submission.'),
        ...clientReference,
        status: z.enum(['complete', 'failed']).meta({
          description: '`complete` if every asset is complete; `failed` if at least one failed.',
        }),
        ...verdictMembers,
        verdict: meaning(
          verdict,
          'The worst verdict of the assets. Null for test events, and if a worker of the previous version completed an asset during an upgrade.',
        ),
        severity_counts: meaning(verdictMembers.severity_counts, `Number of issues by severity ${ofSubmission}.`),
        status_counts: meaning(verdictMembers.status_counts, `Number of issues by status ${ofSubmission}.`),
        blocking_count: meaning(
          verdictMembers.blocking_count,
          `Number of issues that make the verdict \`failed\` ${ofSubmission}.`,
        ),
        review_count: meaning(
          verdictMembers.review_count,
          `Number of issues and incomplete checks that a person has to look at ${ofSubmission}.`,
        ),
        waived_count: meaning(
          verdictMembers.waived_count,
          `Number of issues that a caller has waived ${ofSubmission}.`,
        ),
        finished_at: time.meta({ description: 'When the last asset was finished; the same as `timestamp`.' }),
      })
      .meta({ description: 'The finished submission. Its members are in snake_case.' }),
  })
  .meta({ id: 'FinishedEvent', examples: [exampleFinishedEvent] });

export const Event = z
  .discriminatedUnion('type', [CompletedEvent, FailedEvent, VerdictChangedEvent, FinishedEvent])
  .meta({ id: 'Event', description: 'An event as it is sent to subscriptions, the same in every attempt.' });
export type Event = z.infer<typeof Event>;

export const EventTypeList = z
  .object({
    eventTypes: z
      .array(
        z.object({
          eventType: z
            .enum(eventTypes)
            .meta({ description: 'Name of the event type, for `eventTypes` of a subscription.' }),
          description: z.string().meta({ description: 'What the event means.' }),
        }),
      )
      .meta({ description: 'Every event type, on one page.' }),
    ...pageMembers,
  })
  .meta({ id: 'EventTypeList' });

/** §4.10: the event types that the interface lets callers fire. */
export const firedEventTypes = ['asset.processing.completed', 'asset.processing.failed'] as const;
export type FiredEventType = (typeof firedEventTypes)[number];

/** §4.10 */
export const FireRequest = z
  .strictObject({
    eventType: z.enum(firedEventTypes).meta({ description: 'The type of the events to send.' }),
    submissionId: z.guid().toLowerCase().meta({
      description: 'A submission of the workspace, live or sandbox. One event is sent for each of its assets.',
    }),
    errorMessage: optional(storableText(firedErrorMessageCharactersMax)).meta({
      examples: ['The codec of the file is not supported.'],
      description:
        'The `error_message` of the events, only for `asset.processing.failed`. Default: `Sandbox simulated failure`.',
    }),
  })
  .meta({ id: 'FireRequest' });

export const FireResult = z
  .object({ dispatched: z.int().min(0).meta({ description: 'Number of subscriptions notified, across all assets.' }) })
  .meta({ id: 'FireResult' });

/** §4.10c */
export const firedErrorMessage = 'Sandbox simulated failure';

export const eventSchemas: Record<EventType, z.ZodType> = {
  'asset.processing.completed': CompletedEvent,
  'asset.processing.failed': FailedEvent,
  'asset.verdict.changed': VerdictChangedEvent,
  'submission.processing.finished': FinishedEvent,
};

export const eventDescriptions: Record<EventType, string> = {
  'asset.processing.completed': 'An asset finished processing. Its issues are available.',
  'asset.processing.failed':
    'An asset failed. `error_type` is the reason; `is_retryable` says whether the asset can be retried.',
  'asset.verdict.changed': 'A decision on an issue changed the verdict on an asset.',
  'submission.processing.finished':
    'Every asset of a submission is complete or failed. Sent again each time that retried assets are finished.',
};
