import { z } from 'zod';
import { Event, eventTypes } from './event.ts';
import { exampleAssetUpdate, exampleSubmissionId, exampleSubmissionUpdate, exampleTicket } from './examples.ts';
import { submissionId } from './fields.ts';
import { AssetStatus, Submission } from './submission.ts';

const exampleChannel = `submission.${exampleSubmissionId}`;

const channel = z
  .string()
  .min(1)
  .max(200)
  .meta({
    description:
      '`realtimeChannel` of a submission or, with a sandbox key, `webhooks.<workspaceId>`, which streams every event as it would be delivered.',
    examples: [exampleChannel],
  });

export const RealtimeQuery = z.object({
  channel,
  ticket: z
    .string()
    .max(200)
    .optional()
    .meta({
      description: 'Replaces the `X-API-Key` header for clients that cannot send headers.',
      examples: [exampleTicket],
    }),
});

export const TicketRequest = z.strictObject({ channel }).meta({ id: 'TicketRequest' });

export const Ticket = z
  .object({
    ticket: z
      .string()
      .meta({ description: 'Send it as `ticket` together with `channel`. Keep it secret, like an API key.' }),
    channel: z.string().meta({ description: 'The channel that the ticket opens, as in the request.' }),
    expiresAt: z.iso
      .datetime()
      .meta({ description: 'The stream must be opened before this time; it can stay open longer.' }),
  })
  .meta({ id: 'Ticket' });

export const AssetUpdate = AssetStatus.extend({ submissionId }).meta({
  id: 'AssetUpdate',
  description: 'Data of an `asset.updated` message: the current state of one asset.',
  examples: [exampleAssetUpdate],
});
export const SubmissionUpdate = Submission.omit({ assets: true }).meta({
  id: 'SubmissionUpdate',
  description: 'Data of a `submission.updated` message: the current state of the submission, without its assets.',
  examples: [exampleSubmissionUpdate],
});

/** Maps the name of a stream message to the schema of its data. */
export const realtimeMessages = {
  snapshot: Submission,
  'asset.updated': AssetUpdate,
  'submission.updated': SubmissionUpdate,
  ...(Object.fromEntries(eventTypes.map((type) => [type, Event])) as Record<(typeof eventTypes)[number], typeof Event>),
} as const;
export type RealtimeMessage = { id: string; event: keyof typeof realtimeMessages; data: unknown };
