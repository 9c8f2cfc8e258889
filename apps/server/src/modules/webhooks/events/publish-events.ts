import type { WorkspaceId } from '#call/caller.ts';
import type { Handles } from '#platform/handles.ts';
import type { Db } from '#platform/postgres/db.ts';
import type { DueDelivery } from '../deliveries/delivery-store.ts';
import { lookAfterAt, startDeliveriesInBackground } from '../deliveries/start-deliveries.ts';
import { insertEvents, type NewEvent } from './event-store.ts';

/** Records events in the transaction that changes the state. The returned deliveries are published after the commit. */
export async function recordEvents(
  db: Db,
  workspaceId: WorkspaceId,
  events: NewEvent[],
  now: Date,
): Promise<DueDelivery[]> {
  if (events.length === 0) return [];
  return insertEvents(db, workspaceId, events, { now, lookAfterAt: lookAfterAt(now) });
}

/** Called after the commit: notifies followers and starts the deliveries. */
export function publishEvents(handles: Handles, workspaceId: WorkspaceId, deliveries: DueDelivery[]): void {
  handles.realtime.notify(eventChannelOf(workspaceId));
  startDeliveriesInBackground(handles, deliveries);
}

export function eventChannelOf(workspaceId: WorkspaceId): string {
  return `webhooks.${workspaceId}`;
}
