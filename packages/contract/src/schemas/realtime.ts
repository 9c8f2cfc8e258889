import { z } from 'zod';
import { Event, eventTypes } from './event.ts';
import { AssetStatus, Submission } from './submission.ts';

const channel = z.string().min(1).max(200).meta({
  description:
    '`realtimeChannel` of a submission or, with a sandbox key, `webhooks.<workspaceId>`, which streams every event as it would be delivered.',
});

export const RealtimeQuery = z.object({
  channel,
  ticket: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'Replaces the `X-API-Key` header for clients that cannot send headers.' }),
});

export const TicketRequest = z.strictObject({ channel }).meta({ id: 'TicketRequest' });

export const Ticket = z
  .object({
    ticket: z
      .string()
      .meta({ description: 'Send it as `ticket` together with `channel`. Keep it secret, like an API key.' }),
    channel: z.string(),
    expiresAt: z.iso
      .datetime()
      .meta({ description: 'The stream must be opened before this time; it can stay open longer.' }),
  })
  .meta({ id: 'Ticket' });

export const AssetUpdate = AssetStatus.extend({ submissionId: z.uuid() }).meta({ id: 'AssetUpdate' });
export const SubmissionUpdate = Submission.omit({ assets: true }).meta({ id: 'SubmissionUpdate' });

/** Name of a stream message → its data. */
export const realtimeMessages = {
  snapshot: Submission,
  'asset.updated': AssetUpdate,
  'submission.updated': SubmissionUpdate,
  ...(Object.fromEntries(eventTypes.map((type) => [type, Event])) as Record<(typeof eventTypes)[number], typeof Event>),
} as const;
export type RealtimeMessage = { id: string; event: keyof typeof realtimeMessages; data: unknown };
