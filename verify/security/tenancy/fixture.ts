import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Scope, scopes } from '@assay/contract/rights.ts';
import { positionParam } from '@assay/contract/route.ts';
import { type RouteName, routes } from '@assay/contract/routes.ts';
import { eventTypes } from '@assay/contract/schemas/event.ts';
import { purgeMedia } from '@assay/server/modules/uploads/retention/purge-media.ts';
import { addPoster, addStill } from '@assay/testing/media/give-still.ts';
import { makePdf } from '@assay/testing/media/samples.ts';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import type { Client } from '@assay/testing/service/client.ts';
import { openReceiver } from '@assay/testing/service/receiver.ts';
import { submit, untilFinished } from '@assay/testing/service/submissions.ts';
import { afterAll } from 'vitest';

/** Two workspaces, each with one of every resource, and resources that the first one has deleted. */
export const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,sandbox,document,webhook' });
await openTestWorker(api.config);
export const apiWithoutWorker = await openTestApi(liftedLimits); // no worker polls the queues of this API, so its submissions wait
export const receiver = await openReceiver();
afterAll(() => receiver.close());

/** The ids of one resource of each kind, by the name of their path parameter. */
export type Ids = Record<
  'submission_id' | 'asset_id' | 'issue_id' | 'subscription_id' | 'delivery_id' | 'profile_id' | 'key_id',
  string
>;
const script = makePdf('/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>');

export const home = await api.makeWorkspace();
export const live = await clientWith(home, 'live', scopes);
export const sandbox = await clientWith(home, 'sandbox', scopes);
export const own = await makeResources(live, 'own.pdf');
export const other = await makeResources(live, 'other.pdf');

export const theirHome = await api.makeWorkspace();
export const stranger = await clientWith(theirHome, 'live', scopes);
export const theirs = await makeResources(stranger, 'their-secret.pdf');
const theirLater = await makeResources(stranger, 'their-secret.pdf', theirs.ids.submission_id);
await stranger.patch(fillPath('updateIssue', theirs.ids), { status: 'DISMISSED', note: 'their-secret note' });

export const gone = await makeResources(live, 'gone.pdf');
const [ofGone] = await deliveriesOf(live, own.ids.subscription_id, gone.ids.submission_id);
/** A delivery to an existing subscription, about a deleted submission. */
export const deletedDeliveryId = ofGone?.deliveryId as string;
export const survivor = await makeResources(live, 'gone.pdf', gone.ids.submission_id);
await live.delete(fillPath('deleteSubmission', gone.ids));
await live.delete(fillPath('deleteSubscription', gone.ids));
await live.delete(fillPath('deleteProfile', gone.ids));
await purgeMedia(api.handles, { unsubmittedHours: 48, mediaDays: 30, resultsDays: 365 });

/** Texts and ids that only the other workspace may read. */
export const foreignTexts = [
  'their-secret',
  theirHome.workspaceId,
  ...[theirs, theirLater].flatMap(({ ids, secondAssetId, issueIds, groups, secret }) => [
    ...Object.values(ids),
    secondAssetId,
    ...issueIds,
    ...groups,
    secret,
  ]),
];

/** A client with a new key that has these scopes. */
export async function clientWith(
  { workspaceId }: { workspaceId: string },
  mode: 'live' | 'sandbox',
  chosen: readonly Scope[],
): Promise<Client> {
  const args = ['--workspace', workspaceId, '--mode', mode, '--scopes', chosen.join(',')];
  return api.client(((await api.admin('key', 'create', ...args)) as { key: string }).key);
}

export function fillPath(name: RouteName, ids: Partial<Ids>): string {
  return routes[name].path.replaceAll(/\{(\w+)\}/g, (_, param: string) =>
    param === positionParam ? '1' : (ids[param as keyof Ids] ?? ''),
  );
}

export function subscriptionBody(path: string) {
  return { url: `${receiver.url}/${path}`, eventTypes: [...eventTypes] };
}

/**
 * Creates a complete submission of two assets with issues, delivered to a new subscription; returns the ids of one
 * asset and what belongs to it.
 */
async function makeResources(client: Client, filename: string, previousSubmissionId?: string) {
  const { body: subscription } = await client.post('/webhooks/subscriptions', subscriptionBody(filename));
  const { subscriptionId, secret } = subscription as { subscriptionId: string; secret: string };
  const blobPaths: string[] = [];
  for (let i = 0; i < 2; i++) blobPaths.push((await client.uploadFile(`${i}-${filename}`, script)).body.blobPath);
  const assets = blobPaths.map((blobPath) => ({ blobPath, ...(previousSubmissionId && { previousSubmissionId }) }));
  const name = `${filename.replace('.pdf', '')}-${randomUUID()}`;
  const { body: profile } = await client.post('/profiles', { name });
  const { body: key } = await client.post('/keys', { name: `key for ${filename}` });
  const metadata = { campaign: `about ${filename}`, assay: { profile: name } };
  const { submissionId, assets: created } = await submit(client, assets, { metadata });
  await untilFinished(client, submissionId);
  const [first, second] = created.map(({ assetId }) => assetId) as [string, string];
  const { body } = await client.get(`/submissions/${submissionId}/assets/${first}`);
  const issueIds: string[] = body.issues.map(({ id }: { id: string }) => id);
  const [delivery] = await deliveriesOf(client, subscriptionId, submissionId);
  const ids: Ids = {
    submission_id: submissionId,
    asset_id: first,
    issue_id: issueIds[0] as string,
    subscription_id: subscriptionId,
    delivery_id: delivery?.deliveryId as string,
    profile_id: profile.profileId,
    key_id: key.keyId,
  };
  await addStill(api.handles.db, { submissionId, assetId: first }, ids.issue_id);
  await addPoster(api.handles.db, { submissionId, assetId: first });
  const groups = created.map(({ versionGroupId }) => versionGroupId);
  return { ids, secondAssetId: second, blobPath: blobPaths[0] as string, issueIds, groups, secret };
}

/** The deliveries of a submission to a subscription, once all of them have succeeded. */
async function deliveriesOf(client: Client, subscriptionId: string, submissionId: string) {
  type Delivery = { deliveryId: string; submissionId: string; status: string };
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; await sleep(50)) {
    const { body } = await client.get(`/webhooks/subscriptions/${subscriptionId}/deliveries?limit=100`);
    const deliveries = (body.deliveries as Delivery[]).filter((one) => one.submissionId === submissionId);
    // The end of each of two assets, and that of the submission.
    if (deliveries.length === 3 && deliveries.every(({ status }) => status === 'succeeded')) return deliveries;
  }
  throw new Error(`${submissionId} was not delivered to ${subscriptionId}`);
}
