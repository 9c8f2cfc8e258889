import { z } from 'zod';
import { Event, eventTypes } from './event.ts';
import { AssetStatus, Submission } from './submission.ts';

export const RealtimeQuery = z.object({
  channel: z.string().min(1).max(200).meta({
    description:
      '`realtimeChannel` of a submission; with a sandbox key also `webhooks.<workspaceId>`, every event as it would be delivered.',
  }),
});

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
