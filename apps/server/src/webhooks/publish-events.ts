import type { WorkspaceId } from '../access/caller.ts';
import type { Db } from '../handles/db.ts';
import type { Handles } from '../handles/handles.ts';
import type { DueDelivery } from './delivery-store.ts';
import { insertEvents, type NewEvent } from './event-store.ts';
import { handOver, lookAfterAt } from './start-deliveries.ts';

/** Writes down what happened, in the transaction that makes it true; what comes back is told after the commit. */
export async function recordEvents(
  db: Db,
  workspaceId: WorkspaceId,
  events: NewEvent[],
  now: Date,
): Promise<DueDelivery[]> {
  if (events.length === 0) return [];
  return insertEvents(db, workspaceId, events, { now, lookAfterAt: lookAfterAt(now) });
}

/** Once it is committed. */
export function tellEvents(handles: Handles, workspaceId: WorkspaceId, deliveries: DueDelivery[]): void {
  handles.realtime.announce(eventChannelOf(workspaceId));
  handOver(handles, deliveries);
}

export function eventChannelOf(workspaceId: WorkspaceId): string {
  return `webhooks.${workspaceId}`;
}
