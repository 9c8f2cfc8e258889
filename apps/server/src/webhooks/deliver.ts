import { setTimeout as sleep } from 'node:timers/promises';
import type { Attempt, Delivery } from '@assay/contract/webhook.ts';
import type { Handles } from '../handles/handles.ts';
import { type Attempted, attempt } from './attempt.ts';
import {
  cancelPending,
  type DueDelivery,
  findPendingDelivery,
  type PendingDelivery,
  recordAttempt,
} from './delivery-store.ts';
import type { Outbound } from './outbound.ts';
import { waitMillisAfter } from './schedule.ts';
import type { Seal } from './secret.ts';
import { secretsNow } from './secrets-now.ts';
import { lostAfterSeconds } from './sweep-deliveries.ts';
import type { Turns } from './turns.ts';

export type DeliveryTools = {
  outbound: Outbound;
  seal: Seal;
  turns: Turns;
  waitsSeconds: readonly number[];
  timeoutMillis: number;
  disableAfterMillis: number;
};

const sleptMillisMax = 1000;

/** Makes one attempt at a delivery, if it is time. Says in how many milliseconds to come back; nothing when it is over. */
export async function deliver(
  { workspaceId, deliveryId }: Pick<DueDelivery, 'workspaceId' | 'deliveryId'>,
  handles: Handles,
  tools: DeliveryTools,
): Promise<number | undefined> {
  const { db, clock } = handles;
  const delivery = await findPendingDelivery(db, workspaceId, deliveryId);
  if (!delivery) return undefined;
  const { body, url } = delivery;
  if (body === null || url === null || !delivery.isActive) {
    await cancelPending(db, workspaceId, { deliveryId }, clock.now());
    return undefined;
  }
  const earlyMillis = delivery.nextAttemptAt.getTime() - clock.now().getTime();
  if (earlyMillis > sleptMillisMax) return earlyMillis;
  await sleep(Math.max(0, earlyMillis)); // clocks differ a little

  const giveTurnBack = await tools.turns.take(delivery, 2 * tools.timeoutMillis);
  if (!giveTurnBack) return busyMillis(delivery);
  try {
    const secrets = secretsNow(delivery.subscriptionId, delivery, tools.seal, clock.now());
    const attempted = await attempt({ eventId: delivery.eventId, body, url, secrets }, tools.outbound, clock);
    handles.metrics.observeDelivery(attempted.errorCode ?? 'succeeded', attempted.durationMs / 1000);
    return await record(workspaceId, delivery, attempted, handles, tools);
  } finally {
    giveTurnBack();
  }
}

// The more it has failed, the later the next of a long queue knocks: each knock is work for the engine.
function busyMillis({ consecutiveFailureCount }: PendingDelivery): number {
  return (0.5 + Math.random()) * 1000 * Math.min(30, 1 + consecutiveFailureCount);
}

async function record(
  workspaceId: DueDelivery['workspaceId'],
  delivery: PendingDelivery,
  { retryAfterSeconds, ...attempted }: Attempted,
  { db, clock }: Handles,
  { waitsSeconds, disableAfterMillis }: DeliveryTools,
): Promise<number | undefined> {
  const now = clock.now();
  const attemptCount = delivery.attempt_count + 1;
  const disable = disableFor(attempted);
  const isOver = attempted.errorCode === null || disable !== null;
  const waitMillis = isOver ? undefined : waitMillisAfter(attemptCount, waitsSeconds, retryAfterSeconds, Math.random());
  const status: Delivery['status'] =
    attempted.errorCode === null ? 'succeeded' : waitMillis === undefined ? 'failed' : 'pending';
  const nextAttemptAt = waitMillis === undefined ? null : new Date(now.getTime() + waitMillis);
  const disabledReason = await recordAttempt(db, workspaceId, {
    deliveryId: delivery.deliveryId,
    attempt: {
      attemptNumber: attemptCount,
      // What a person asked for is tried at once by hand; what follows goes by itself.
      trigger: attemptCount === 1 ? delivery.trigger : 'automatic',
      ...attempted,
    } satisfies Attempt,
    status,
    nextAttemptAt,
    lookAfterAt: new Date((nextAttemptAt ?? now).getTime() + lostAfterSeconds * 1000),
    disable,
    failingSinceMax: new Date(now.getTime() - disableAfterMillis),
    now,
  });
  if (disabledReason) {
    await cancelPending(db, workspaceId, { subscriptionId: delivery.subscriptionId }, now);
    return undefined;
  }
  return waitMillis;
}

// 410: the receiver says that it wants no more. A name that leads into an inner network is no accident to be waited out.
function disableFor({ responseStatus, errorCode }: Pick<Attempt, 'responseStatus' | 'errorCode'>) {
  if (responseStatus === 410) return 'gone';
  return errorCode === 'blocked_address' ? 'blocked_address' : null;
}
