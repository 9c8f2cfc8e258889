import { eventDescriptions, eventTypes } from '@assay/contract/schemas/event.ts';
import type { Reply } from '#call/call.ts';

export async function listEventTypes(): Promise<Reply<'listEventTypes'>> {
  const described = eventTypes.map((eventType) => ({ eventType, description: eventDescriptions[eventType] }));
  return { eventTypes: described, nextCursor: null, hasMore: false };
}
