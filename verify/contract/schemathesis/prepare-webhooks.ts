import { subscriptionsPerWorkspaceMax } from '@assay/contract/limits.ts';
import { eventTypes } from '@assay/contract/schemas/event.ts';
import { type Client, createClient } from '@assay/testing/service/client.ts';
import { submit, untilFinished, uploadText } from '@assay/testing/service/submissions.ts';

const waitSecondsMax = 120;
const spareKeysCount = 40;

export type WorkspaceKeys = { liveKey: string; sandboxKey: string };
/** The path parameters of one delivery, by name. */
type KnownDelivery = { subscription_id: string; delivery_id: string };
type KnownSubscription = Pick<KnownDelivery, 'subscription_id'>;

export type KnownWebhooks = {
  /** A receiver that accepts everything. */
  receiverUrl: string;
  subscriptions: KnownDelivery[];
  /** Subscriptions that may be changed in any way. */
  toUpdate: KnownSubscription[];
  toDelete: KnownSubscription[];
  /** The key of each subscription's workspace, by subscription id. */
  keyOf: Record<string, string>;
  /** Keys of further workspaces, because the number of subscriptions per workspace is limited. */
  spareKeys: string[];
  /** A cursor into the deliveries of the first of `subscriptions`. */
  deliveriesCursor: string;
};

/** Creates many workspaces with subscriptions: one alone may not have as many as the run creates and deletes. */
export async function prepareWebhooks(
  url: string,
  receiverUrl: string,
  makeWorkspace: () => Promise<WorkspaceKeys>,
): Promise<KnownWebhooks> {
  const keyOf: Record<string, string> = {};
  const several = async ({ liveKey }: WorkspaceKeys, count: number): Promise<KnownSubscription[]> => {
    const made: KnownSubscription[] = [];
    while (made.length < count) {
      const subscriptionId = await subscribe(createClient(url, liveKey), receiverUrl);
      keyOf[subscriptionId] = liveKey;
      made.push({ subscription_id: subscriptionId });
    }
    return made;
  };

  // There are few events in the first workspace, so that even a replay of all of them is small.
  const quiet = await makeWorkspace();
  const live = createClient(url, quiet.liveKey);
  const heard = await several(quiet, 3);
  const { submissionId } = await submit(live, [await uploadText(live), await uploadText(live)]);
  await untilFinished(live, submissionId, waitSecondsMax);
  const lists = heard.map(({ subscription_id }) => `/webhooks/subscriptions/${subscription_id}/deliveries`);
  const deliveries = await Promise.all(lists.map(async (path) => (await live.get(path)).body.deliveries));
  const { body: page } = await live.get(`${lists[0]}?limit=1`);

  const full = async () => several(await makeWorkspace(), subscriptionsPerWorkspaceMax);
  const toDelete = (await Promise.all([full(), full(), full(), full()])).flat();
  const spareKeys: string[] = [];
  while (spareKeys.length < spareKeysCount) spareKeys.push((await makeWorkspace()).liveKey);
  return {
    receiverUrl,
    subscriptions: heard.map((one, i) => ({ ...one, delivery_id: deliveries[i][0].deliveryId })),
    toUpdate: await several(await makeWorkspace(), 5),
    toDelete,
    keyOf,
    spareKeys,
    deliveriesCursor: page.nextCursor,
  };
}

export async function subscribe(client: Client, receiverUrl: string, rest: object = {}): Promise<string> {
  const json = { url: receiverUrl, eventTypes, ...rest };
  const { status, body } = await client.post('/webhooks/subscriptions', json);
  if (status !== 201) throw new Error(`the subscription was answered with ${status}`);
  return body.subscriptionId;
}
