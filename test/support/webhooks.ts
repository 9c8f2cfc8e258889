import { setTimeout as sleep } from 'node:timers/promises';
import { eventTypes } from '@assay/contract/event.ts';
import type { Handles } from '@assay/server/handles/handles.ts';
import { activityIdOf } from '@assay/server/webhooks/start-deliveries.ts';
import type { Client } from './client.ts';

export type Subscribed = { subscriptionId: string; secret: string };

/** Subscribes to everything, or to what the rest says. */
export async function subscribe(client: Client, url: string, rest: object = {}): Promise<Subscribed> {
  const { status, body } = await client.post('/webhooks/subscriptions', { url, eventTypes, ...rest });
  if (status !== 201) throw new Error(`the subscription was answered ${status} ${JSON.stringify(body)}`);
  return body;
}

export function subscriptionPath({ subscriptionId }: Pick<Subscribed, 'subscriptionId'>): string {
  return `/webhooks/subscriptions/${subscriptionId}`;
}

/** Fires for a submission, and says how many deliveries that made. */
export async function fire(client: Client, submissionId: string, rest: object = {}): Promise<number> {
  const json = { eventType: 'asset.processing.completed', submissionId, ...rest };
  const { status, body } = await client.post('/sandbox/events/fire', json);
  if (status !== 200) throw new Error(`the fire was answered ${status} ${JSON.stringify(body)}`);
  return body.dispatched;
}

/** The deliveries of a subscription, newest first, each with its attempts, once this is true of them. */
export async function untilDeliveries(
  client: Client,
  subscription: Pick<Subscribed, 'subscriptionId'>,
  // biome-ignore lint/suspicious/noExplicitAny: deliveries as the wire has them
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
 * Resolves once the engine is done with a delivery. It comes back to a cancelled one when its next attempt would have been
 * due: after this, nothing more is going to be sent.
 */
export async function untilEngineIsDone({ workflows }: Handles, delivery: { deliveryId: string }): Promise<void> {
  await workflows.client.activity.getHandle(activityIdOf(delivery)).result();
}

// biome-ignore lint/suspicious/noExplicitAny: see above
export const isNonePending = (deliveries: any[]) =>
  deliveries.length > 0 && deliveries.every(({ status }) => status !== 'pending');
