import type { Handles } from '#platform/handles.ts';
import { groupWrites } from '#platform/mechanisms/group-writes.ts';
import { processRows } from '#platform/mechanisms/process-rows.ts';
import { claimDueDeliveries, recordStarted } from './delivery-store.ts';
import { startDelivery, startsAtOnceMax } from './start-deliveries.ts';

const batchSize = 200;
const claimMillis = 15_000;
/** An attempt that is overdue for this long was lost by the engine, or terminated there by hand. */
export const deliveryLostAfterSeconds = 3600;

/** Starts deliveries that were committed but not started, and those that the engine has lost. */
export async function sweepDeliveries(handles: Handles, signal?: AbortSignal): Promise<void> {
  const { db, clock } = handles;
  const record = groupWrites<string>((ids) => recordStarted(db, ids, clock.now(), deliveryLostAfterSeconds), 1);
  await processRows(
    handles,
    {
      name: 'sweep-deliveries',
      batchSize,
      atOnceMax: startsAtOnceMax,
      claim: (limit) => claimDueDeliveries(db, clock.now(), new Date(clock.now().getTime() + claimMillis), limit),
      act: async (due) => {
        await startDelivery(handles, due);
        await record(due.deliveryId);
      },
      describe: ({ workspaceId, deliveryId }) => ({ workspaceId, deliveryId }),
    },
    signal,
  );
}
