import { webhookTimeoutSecondsMax } from '@assay/contract/limits.ts';
import type { Handles } from '../handles/handles.ts';
import type { DueDelivery } from './delivery-store.ts';

// Nobody waits for it, and what is given up too early the engine does all the same.
const startMillisMax = 5000;
const startsAtOnceMax = 20;
const handOverMillisMax = 15_000;
/** Longer than any request may take and what stands around it: cut off, its receiver would get it twice. */
const attemptMillisMax = (webhookTimeoutSecondsMax + 20) * 1000;

/** When the sweeper takes a new delivery for one that was not handed over: whoever committed it has ended that, or died. */
export function lookAfterAt(now: Date): Date {
  return new Date(now.getTime() + handOverMillisMax);
}

/** Nobody waits for this: what the engine does not take now, the sweeper hands over later. */
export function handOver(handles: Handles, deliveries: DueDelivery[]): void {
  startDeliveries(handles, deliveries, Date.now() + handOverMillisMax - startMillisMax).catch((error) =>
    handles.log.warn({ err: error, count: deliveries.length }, 'deliveries wait for the sweeper'),
  );
}

/** The id under which the engine has it, so that an operator finds it there. */
export function activityIdOf({ deliveryId }: Pick<DueDelivery, 'deliveryId'>): string {
  return `delivery:${deliveryId}`;
}

/** Hands committed deliveries to the engine, and says which it has; ends with the first that it does not take. */
export async function startDeliveries(
  handles: Handles,
  deliveries: DueDelivery[],
  deadline = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const waiting = [...deliveries];
  const startedIds: string[] = [];
  const startNext = async () => {
    for (let due = waiting.shift(); due && Date.now() < deadline; due = waiting.shift()) {
      await startDelivery(handles, due);
      startedIds.push(due.deliveryId);
    }
  };
  const lines = Array.from({ length: Math.min(startsAtOnceMax, waiting.length) }, startNext);
  const ended = await Promise.allSettled(lines);
  const failure = ended.find((line) => line.status === 'rejected');
  if (failure) handles.log.warn({ err: failure.reason }, 'the engine did not take a delivery; it is tried again');
  return startedIds;
}

/** Handing it over twice is the same as once: while the engine has one of this id it starts no other. */
async function startDelivery({ workflows }: Handles, due: DueDelivery): Promise<void> {
  const { workspaceId, deliveryId, subscriptionId } = due;
  await workflows.connection.withDeadline(Date.now() + startMillisMax, () =>
    workflows.client.activity.start('deliver', {
      id: activityIdOf(due),
      taskQueue: `${workflows.queuePrefix}webhook`,
      args: [{ workspaceId, deliveryId }],
      startToCloseTimeout: attemptMillisMax,
      heartbeatTimeout: '10 seconds',
      // The schedule is ours: each failure says when the next attempt is due. This is for a worker that died.
      retry: { initialInterval: '1 second', maximumInterval: '15 seconds' },
      // The rows say what is still to be done. One that is closed here and pending there is to be done again.
      idReusePolicy: 'ALLOW_DUPLICATE',
      idConflictPolicy: 'USE_EXISTING',
      // A receiver with a long queue does not make the others wait behind it.
      priority: { fairnessKey: subscriptionId },
    }),
  );
}
