import { setTimeout as sleep } from 'node:timers/promises';
import { firedEventTypes } from '@assay/contract/schemas/event.ts';
import { activityIdOf } from '@assay/server/modules/webhooks/deliveries/start-deliveries.ts';
import type { Handles } from '@assay/server/platform/handles.ts';
import type { Client } from './client.ts';

export type TestSubscription = { subscriptionId: string; secret: string };

/** Creates a subscription, for what is sent at the end of each attempt unless `rest` names other event types. */
export async function subscribe(client: Client, url: string, rest: object = {}): Promise<TestSubscription> {
  const { status, body } = await client.post('/webhooks/subscriptions', { url, eventTypes: firedEventTypes, ...rest });
  if (status !== 201) throw new Error(`the subscription was answered with ${status} ${JSON.stringify(body)}`);
  return body;
}

export function subscriptionPath({ subscriptionId }: Pick<TestSubscription, 'subscriptionId'>): string {
  return `/webhooks/subscriptions/${subscriptionId}`;
}

/** Fires an event for a submission, and returns the number of deliveries. */
export async function fire(client: Client, submissionId: string, rest: object = {}): Promise<number> {
  const json = { eventType: 'asset.processing.completed', submissionId, ...rest };
  const { status, body } = await client.post('/sandbox/events/fire', json);
  if (status !== 200) throw new Error(`the fire was answered with ${status} ${JSON.stringify(body)}`);
  return body.dispatched;
}

/** Waits until the condition is true, and returns the deliveries of a subscription with attempts, newest first. */
export async function untilDeliveries(
  client: Client,
  subscription: Pick<TestSubscription, 'subscriptionId'>,
  // biome-ignore lint/suspicious/noExplicitAny: deliveries as the API returns them
  isReached: (deliveries: any[]) => boolean,
  secondsMax = 90,
  // biome-ignore lint/suspicious/noExplicitAny: see above
): Promise<any[]> {
  const path = `${subscriptionPath(subscription)}/deliveries`;
  for (const deadline = Date.now() + secondsMax * 1000; Date.now() < deadline; await sleep(150)) {
    const { body } = await client.get(`${path}?limit=100`);
    if (!isReached(body.deliveries)) continue;
    const details = body.deliveries.map(async ({ deliveryId }: { deliveryId: string }) => {
      return (await client.get(`${path}/${deliveryId}`)).body;
    });
    return Promise.all(details);
  }
  throw new Error(`the deliveries did not get there within ${secondsMax} s`);
}

/**
 * Resolves once the engine has finished a delivery, after which no more requests are sent for it. A cancelled delivery
 * finishes when its next attempt would have been due.
 */
export async function untilEngineIsDone({ workflows }: Handles, delivery: { deliveryId: string }): Promise<void> {
  await workflows.client.activity.getHandle(activityIdOf(delivery)).result();
}

// biome-ignore lint/suspicious/noExplicitAny: see above
export const isNonePending = (deliveries: any[]) =>
  deliveries.length > 0 && deliveries.every(({ status }) => status !== 'pending');
