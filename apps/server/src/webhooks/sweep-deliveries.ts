import type { Handles } from '../handles/handles.ts';
import { claimDueDeliveries, rememberStarted } from './delivery-store.ts';
import { startDeliveries } from './start-deliveries.ts';

const sweptAtOnceMax = 200;
const claimedMillis = 15_000;
/** What the engine should have tried so long ago it has lost, or it was ended there by hand. */
export const lostAfterSeconds = 3600;

/** Hands over what was committed and never handed over, and what the engine has lost. */
export async function sweepDeliveries(handles: Handles): Promise<void> {
  for (;;) {
    const now = handles.clock.now();
    const due = await claimDueDeliveries(handles.db, now, new Date(now.getTime() + claimedMillis), sweptAtOnceMax);
    const startedIds = await startDeliveries(handles, due);
    await rememberStarted(handles.db, startedIds, lostAfterSeconds);
    if (due.length < sweptAtOnceMax || startedIds.length < due.length) return;
  }
}
