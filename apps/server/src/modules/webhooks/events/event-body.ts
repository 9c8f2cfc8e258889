import { randomUUIDv7 } from 'node:crypto';
import type { Event } from '@assay/contract/schemas/event.ts';
import type { PinnedProfile } from '@assay/contract/schemas/profiles/resource.ts';
import type { AssetVerdict } from '@assay/contract/schemas/verdict-members.ts';
import type { NewEvent } from './event-store.ts';

type EventContent<One = Event> = One extends Event ? Pick<One, 'type' | 'data'> : never;

/** Serialised once: these bytes are signed and sent, also in a replay. */
export function eventOf(
  { submissionId, assetId, livemode }: Pick<NewEvent, 'submissionId' | 'assetId' | 'livemode'>,
  at: Date,
  { type, data }: EventContent,
): NewEvent {
  const eventId = randomUUIDv7();
  const event = { id: eventId, type, timestamp: at.toISOString(), livemode, data } as Event;
  return { eventId, type, livemode, submissionId, assetId, body: JSON.stringify(event) };
}

/** The member for the caller's own reference, if there is one. */
export const referenceOf = (clientReference: string | undefined) =>
  clientReference === undefined ? {} : { client_reference: clientReference };

/** The verdict as events contain it. The profile is null in simulated and sample events, which have no verdict. */
export function verdictOf(
  { verdict, severityCounts, statusCounts, blockingCount, reviewCount, waivedCount }: AssetVerdict,
  profile: PinnedProfile | null,
) {
  return {
    verdict,
    severity_counts: severityCounts,
    status_counts: statusCounts && {
      open: statusCounts.open,
      acknowledged: statusCounts.acknowledged,
      awaiting_human_input: statusCounts.awaitingHumanInput,
      resolved: statusCounts.resolved,
      dismissed: statusCounts.dismissed,
    },
    blocking_count: blockingCount,
    review_count: reviewCount,
    waived_count: waivedCount,
    profile: profile && { name: profile.name, revision: profile.revision, fail_on: profile.failOn },
  };
}
