import type { Handles } from '#platform/handles.ts';
import { idFloor } from '#platform/postgres/id-floor.ts';
import { deleteEventsBefore } from '../deliveries/delivery-store.ts';

const deletedAtOnceMax = 1000;

/** Deletes events and deliveries after their retention period. */
export async function deleteOldEvents({ db, clock }: Handles, keptDays: number, signal: AbortSignal): Promise<void> {
  const beforeId = idFloor(new Date(clock.now().getTime() - keptDays * 86_400_000));
  while (!signal.aborted && !(await deleteEventsBefore(db, beforeId, deletedAtOnceMax)));
}
