import { z } from 'zod';
import { Event, eventTypes } from './event.ts';
import { AssetStatus, Submission } from './submission.ts';

const channel = z.string().min(1).max(200).meta({
  description:
    '`realtimeChannel` of a submission; with a sandbox key also `webhooks.<workspaceId>`, every event as it would be delivered.',
});

export const RealtimeQuery = z.object({
  channel,
  ticket: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'In place of the `X-API-Key` header, for clients that cannot send one.' }),
});

export const TicketRequest = z.strictObject({ channel }).meta({ id: 'TicketRequest' });

export const Ticket = z
  .object({
    ticket: z.string().meta({ description: 'Send it as `ticket` beside `channel`. Keep it as secret as a key.' }),
    channel: z.string(),
    expiresAt: z.iso.datetime().meta({ description: 'Until then it opens the stream; the stream itself lasts on.' }),
  })
  .meta({ id: 'Ticket' });

export const AssetUpdate = AssetStatus.extend({ submissionId: z.uuid() }).meta({ id: 'AssetUpdate' });
export const SubmissionUpdate = Submission.omit({ assets: true }).meta({ id: 'SubmissionUpdate' });

/** Name of a message of the stream → its data. */
export const realtimeMessages = {
  snapshot: Submission,
  'asset.updated': AssetUpdate,
  'submission.updated': SubmissionUpdate,
  ...(Object.fromEntries(eventTypes.map((type) => [type, Event])) as Record<(typeof eventTypes)[number], typeof Event>),
} as const;
export type RealtimeMessage = { id: string; event: keyof typeof realtimeMessages; data: unknown };
