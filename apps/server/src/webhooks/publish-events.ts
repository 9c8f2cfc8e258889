import type { WorkspaceId } from '../access/caller.ts';
import type { Db } from '../handles/db.ts';
import type { Handles } from '../handles/handles.ts';
import type { DueDelivery } from './delivery-store.ts';
import { insertEvents, type NewEvent } from './event-store.ts';
import { startDeliveries, startMillisMax } from './start-deliveries.ts';

/** Longer than whoever has committed takes to hand a delivery over, or fails to. */
export const handOverMillisMax = 10_000;

/** Writes down what happened, in the transaction that makes it true; what comes back is told after the commit. */
export async function recordEvents(
  db: Db,
  workspaceId: WorkspaceId,
  events: NewEvent[],
  now: Date,
): Promise<DueDelivery[]> {
  if (events.length === 0) return [];
  return insertEvents(db, workspaceId, events, { now, lookAfterAt: new Date(now.getTime() + handOverMillisMax) });
}

/** Once it is committed. Nobody waits for this: what the engine does not take now, the sweeper hands over later. */
export function tellEvents(handles: Handles, workspaceId: WorkspaceId, deliveries: DueDelivery[]): void {
  handles.realtime.announce(eventChannelOf(workspaceId));
  startDeliveries(handles, deliveries, Date.now() + handOverMillisMax - 2 * startMillisMax).catch((error) =>
    handles.log.warn({ err: error, count: deliveries.length }, 'deliveries wait for the sweeper'),
  );
}

export function eventChannelOf(workspaceId: WorkspaceId): string {
  return `webhooks.${workspaceId}`;
}
