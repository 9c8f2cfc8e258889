import { setTimeout as sleep } from 'node:timers/promises';
import { blockedAttemptsMax } from '@assay/contract/limits.ts';
import type { Attempt, Delivery } from '@assay/contract/schemas/webhook.ts';
import type { Handles } from '#platform/handles.ts';
import { clockFrom } from '#platform/postgres/database-time.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { currentSecrets } from '../subscriptions/current-secrets.ts';
import type { Seal } from '../subscriptions/secret.ts';
import { cancelDelivery, cancelPendingDeliveries } from '../subscriptions/subscription-store.ts';
import { type AttemptResult, attemptDelivery } from './attempt.ts';
import type { DeliveryPermits } from './delivery-permits.ts';
import { type DueDelivery, findPendingDelivery, type PendingDelivery, recordAttempt } from './delivery-store.ts';
import { attemptDuration } from './metrics.ts';
import { waitMillisAfter } from './schedule.ts';
import { deliveryLostAfterSeconds } from './sweep-deliveries.ts';

export type DeliveryTools = {
  outbound: Outbound;
  seal: Seal;
  permits: DeliveryPermits;
  waitsSeconds: readonly number[];
  timeoutMillis: number;
  disableAfterMillis: number;
};

const sleepMillisMax = 1000;

/**
 * Makes one attempt at a due delivery. Returns the milliseconds until the next attempt; undefined after the last. If the
 * signal is aborted, the attempt is not recorded, and is made again later.
 */
export async function deliver(
  { workspaceId, deliveryId }: Pick<DueDelivery, 'workspaceId' | 'deliveryId'>,
  handles: Handles,
  tools: DeliveryTools,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const { db } = handles;
  const delivery = await findPendingDelivery(db, workspaceId, deliveryId);
  if (!delivery) return undefined;
  // Several processes write and compare the times of a delivery, and their clocks may differ.
  const clock = clockFrom(delivery.now);
  const { body, url } = delivery;
  if (body === null || url === null || !delivery.isActive) {
    await cancelDelivery(db, workspaceId, deliveryId, clock.now());
    return undefined;
  }
  const earlyMillis = delivery.nextAttemptAt.getTime() - clock.now().getTime();
  if (earlyMillis > sleepMillisMax) return earlyMillis;
  await sleep(Math.max(0, earlyMillis)); // allows for small clock differences

  const releasePermit = await tools.permits.acquire({ workspaceId, ...delivery }, 2 * tools.timeoutMillis);
  if (!releasePermit) return waitMillisWhenBusy(delivery);
  try {
    const secrets = currentSecrets(delivery.subscriptionId, delivery, tools.seal, clock.now());
    const message = { eventId: delivery.eventId, body, url, secrets };
    const attempted = await attemptDelivery(message, tools.outbound, clock, signal);
    const outcome = attempted.errorCode ?? 'succeeded';
    attemptDuration(handles.metrics).observe({ outcome }, attempted.durationMs / 1000);
    return await recordResult(workspaceId, delivery, attempted, { db, clock }, tools);
  } finally {
    releasePermit();
  }
}

// The more failures in a row, the longer a delivery without a permit waits: each retry is work for the engine.
function waitMillisWhenBusy({ consecutiveFailureCount }: PendingDelivery): number {
  return (0.5 + Math.random()) * 1000 * Math.min(30, 1 + consecutiveFailureCount);
}

async function recordResult(
  workspaceId: DueDelivery['workspaceId'],
  delivery: PendingDelivery,
  { retryAfterSeconds, ...attempted }: AttemptResult,
  { db, clock }: Pick<Handles, 'db' | 'clock'>,
  { waitsSeconds, disableAfterMillis }: DeliveryTools,
): Promise<number | undefined> {
  const now = clock.now();
  const attemptCount = delivery.attempt_count + 1;
  const disable = immediateDisabledReason(attempted, delivery);
  const isFinished = attempted.errorCode === null || disable !== null;
  const waitMillis = isFinished
    ? undefined
    : waitMillisAfter(attemptCount, waitsSeconds, retryAfterSeconds, Math.random());
  const status: Delivery['status'] =
    attempted.errorCode === null ? 'succeeded' : waitMillis === undefined ? 'failed' : 'pending';
  const nextAttemptAt = waitMillis === undefined ? null : new Date(now.getTime() + waitMillis);
  const disabledReason = await recordAttempt(db, workspaceId, {
    deliveryId: delivery.deliveryId,
    attempt: {
      attemptNumber: attemptCount,
      // Only the first attempt of a manual replay is manual; retries are automatic.
      trigger: attemptCount === 1 ? delivery.trigger : 'automatic',
      ...attempted,
    } satisfies Attempt,
    status,
    nextAttemptAt,
    lookAfterAt: new Date((nextAttemptAt ?? now).getTime() + deliveryLostAfterSeconds * 1000),
    disable,
    failingSinceMax: new Date(now.getTime() - disableAfterMillis),
    now,
  });
  if (disabledReason) {
    await cancelPendingDeliveries(db, workspaceId, delivery.subscriptionId, now);
    return undefined;
  }
  return waitMillis;
}

// 410 means that the receiver wants no more events. A blocked address may be a mistake in our own network, which blocks
// every receiver at once, so the operator has hours to correct it.
function immediateDisabledReason(
  { responseStatus, errorCode }: Pick<Attempt, 'responseStatus' | 'errorCode'>,
  { blockedCount }: PendingDelivery,
) {
  if (responseStatus === 410) return 'gone';
  return errorCode === 'blocked_address' && blockedCount + 1 >= blockedAttemptsMax ? 'blocked_address' : null;
}
