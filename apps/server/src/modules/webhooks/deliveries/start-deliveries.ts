import { webhookTimeoutSecondsMax } from '@assay/contract/limits.ts';
import type { Handles } from '#platform/handles.ts';
import { runForEach } from '#platform/mechanisms/semaphore.ts';
import type { DueDelivery } from './delivery-store.ts';

// May be short: no request waits for a start, and the engine may still complete a start that timed out here.
const startMillisMax = 5000;
export const startsAtOnceMax = 20;
const backgroundMillisMax = 15_000;
/** Longer than a request can take, with a margin: an attempt that times out here would reach its receiver twice. */
const attemptMillisMax = (webhookTimeoutSecondsMax + 20) * 1000;

/** When the sweeper may start a new delivery: by then the process that created it has started it or died. */
export function lookAfterAt(now: Date): Date {
  return new Date(now.getTime() + backgroundMillisMax);
}

/** Starts deliveries without waiting: those that the engine does not accept now are started by the sweeper. */
export function startDeliveriesInBackground(handles: Handles, deliveries: DueDelivery[]): void {
  startDeliveries(handles, deliveries, Date.now() + backgroundMillisMax - startMillisMax).catch((error) =>
    handles.log.warn({ err: error, count: deliveries.length }, 'deliveries were not started; the sweeper starts them'),
  );
}

/** The activity id in the engine, where operators can look it up. */
export function activityIdOf({ deliveryId }: Pick<DueDelivery, 'deliveryId'>): string {
  return `delivery:${deliveryId}`;
}

/** Starts committed deliveries in the engine and returns the accepted ids. Starts no more after a failure. */
export async function startDeliveries(
  handles: Handles,
  deliveries: DueDelivery[],
  deadline = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const startedIds: string[] = [];
  let hasFailed = false;
  await runForEach(deliveries, startsAtOnceMax, async (due) => {
    if (hasFailed || Date.now() >= deadline) return;
    try {
      await startDelivery(handles, due);
      startedIds.push(due.deliveryId);
    } catch (error) {
      if (!hasFailed) handles.log.warn({ err: error }, 'the engine did not accept a delivery; the sweeper starts it');
      hasFailed = true;
    }
  });
  return startedIds;
}

/** A second start has no effect: the engine starts no second activity with the same id. */
export async function startDelivery({ workflows }: Handles, due: DueDelivery): Promise<void> {
  const { workspaceId, deliveryId, subscriptionId } = due;
  const { lostAfterSeconds, retrySecondsMax } = workflows.times;
  await workflows.connection.withDeadline(Date.now() + startMillisMax, () =>
    workflows.client.activity.start('deliver', {
      id: activityIdOf(due),
      taskQueue: `${workflows.queuePrefix}webhook`,
      args: [{ workspaceId, deliveryId }],
      startToCloseTimeout: attemptMillisMax,
      heartbeatTimeout: lostAfterSeconds * 1000,
      // Each failure carries the delay until the next attempt; these intervals apply only when a worker dies.
      retry: { initialInterval: '1 second', maximumInterval: retrySecondsMax * 1000 },
      // The database decides what is left to do: a delivery that is still pending there can be started again even if
      // its activity was closed.
      idReusePolicy: 'ALLOW_DUPLICATE',
      idConflictPolicy: 'USE_EXISTING',
      // Keeps a receiver with a long queue from delaying the others.
      priority: { fairnessKey: subscriptionId },
    }),
  );
}
