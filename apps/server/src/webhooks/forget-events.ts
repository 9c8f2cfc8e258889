import type { Handles } from '../handles/handles.ts';
import { idFloor } from '../handles/id-floor.ts';
import { deleteEventsBefore } from './delivery-store.ts';

const forgottenAtOnceMax = 1000;

/** Events and deliveries that are older than they are kept. */
export async function forgetEvents({ db, clock }: Handles, keptDays: number, signal: AbortSignal): Promise<void> {
  const beforeId = idFloor(new Date(clock.now().getTime() - keptDays * 86_400_000));
  while (!signal.aborted && !(await deleteEventsBefore(db, beforeId, forgottenAtOnceMax)));
}
