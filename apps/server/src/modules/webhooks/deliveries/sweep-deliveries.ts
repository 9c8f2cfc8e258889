import type { Handles } from '#platform/handles.ts';
import { claimDueDeliveries, recordStarted } from './delivery-store.ts';
import { startDeliveries } from './start-deliveries.ts';

const sweepBatchMax = 200;
const claimMillis = 15_000;
/** An attempt that is overdue for this long was lost by the engine, or terminated there by hand. */
export const deliveryLostAfterSeconds = 3600;

/** Starts deliveries that were committed but not started, and those that the engine has lost. */
export async function sweepDeliveries(handles: Handles, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const now = handles.clock.now();
    const due = await claimDueDeliveries(handles.db, now, new Date(now.getTime() + claimMillis), sweepBatchMax);
    const startedIds = await startDeliveries(handles, due);
    await recordStarted(handles.db, startedIds, now, deliveryLostAfterSeconds);
    if (due.length < sweepBatchMax || startedIds.length < due.length) return;
  }
}
