import type { TestWorkspace } from '@assay/testing/service/api.ts';
import type { Client } from '@assay/testing/service/client.ts';
import { openReceiver } from '@assay/testing/service/receiver.ts';
import { subscribe, subscriptionPath } from '@assay/testing/service/webhooks.ts';

export type SignedEvent = { secret: string; body: string; headers: Record<string, string> };

/** A webhook request that the service has sent, with the secret that signed it. */
export async function takeSignedEvent(client: (key: string) => Client, workspace: TestWorkspace): Promise<SignedEvent> {
  const receiver = await openReceiver();
  try {
    const caller = client(workspace.liveKey);
    const subscription = await subscribe(caller, receiver.url);
    await caller.post(`${subscriptionPath(subscription)}/test`);
    const [received] = await receiver.until(1);
    await caller.delete(subscriptionPath(subscription));
    const { body = '', headers = {} } = received ?? {};
    const signed = Object.entries(headers).filter(([name]) => name.startsWith('webhook-') || name === 'content-type');
    return { secret: subscription.secret, body, headers: Object.fromEntries(signed) };
  } finally {
    receiver.close();
  }
}

/** A copy of a webhook request with a different body, so that the signature is wrong. */
export function withForgedBody(event: SignedEvent): SignedEvent {
  return { ...event, body: event.body.replace('"livemode":', '"forged":true,"livemode":') };
}
